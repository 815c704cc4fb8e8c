import type { Case, CaseId } from '../../cases/case.ts'
import { liftCommands } from '../intervene/override-case.ts'
import { type AskedMatter, MATTER_KEY, MATTERS, matterOf } from '../matters.ts'
import { changeProject } from '../project-document.ts'
import { unpaidUse } from '../unpaid-repair.ts'
import type { Desk } from './carry-out.ts'
import { closing, isOpen, raiseMatter } from './raise-matter.ts'

/** Does what was answered about the user's branch, the remote or a repair, or answers for him when the time is over. */
export async function settleMatter(desk: Desk, id: CaseId): Promise<void> {
  const { store } = desk.means
  const [subject] = await store.query({ ids: [id] })
  const matter = subject && matterOf(subject)
  if (!subject || !matter || matter.followed) return
  if (isOpen(subject)) {
    const { fallback } = MATTERS[matter.kind]
    if (fallback !== null)
      await store.transact({ commands: closing(subject, fallback, false), by: 'default' })
    return
  }
  const isLeft = (await follow(desk, matter, answerOf(subject))) === 'left'
  // Only what is left as it is keeps its name: the same trouble is then not asked about again.
  const name = isLeft ? matter.name : `${matter.name}/${id}`
  await store.transact({
    commands: [{ kind: 'update', id, metadata: { [MATTER_KEY]: { ...matter, name, followed: true } } }],
    by: 'director',
  })
}

function answerOf({ metadata: { decision } }: Case): string {
  return typeof decision === 'string' ? (decision.toLowerCase().split(/\W+/, 1)[0] ?? '') : ''
}

/** His branch as it is, unless the checks are against it. */
async function adopt(desk: Desk, commit: string): Promise<void> {
  for (let tried = 0; tried < ADOPTIONS_TRIED_MAX; tried += 1) {
    const intake = await desk.means.hands.adoptUser?.(commit)
    if (intake?.kind === 'target-moved') continue
    if (intake?.kind === 'taken-in')
      await changeProject(desk.means.store, 'director', (now) => ({ ...now, seenUserCommit: commit }))
    if (intake?.kind === 'rejected') {
      const context = `Your branch is at ${commit}. The checks said:\n${intake.feedback ?? intake.evidence}`
      await raiseMatter(desk, { kind: 'user-red', name: `${commit}/as it is`, commit, context })
    }
    return
  }
}

/** Something lands meanwhile at most this often. */
const ADOPTIONS_TRIED_MAX = 5

/** Only the budget that still stands in the way: it may have been raised before the answer came. */
async function liftUnpaid({ means: { store }, scene }: Desk): Promise<void> {
  const unpaid = unpaidUse(scene())
  const [subject] = unpaid ? await store.query({ ids: [unpaid.use.id] }) : []
  if (subject) await store.transact({ commands: liftCommands(subject), by: 'director' })
}

async function follow(desk: Desk, { commit }: AskedMatter, answer: string): Promise<'left' | 'followed'> {
  const { hands, store } = desk.means
  switch (answer) {
    case 'merge':
      await changeProject(store, 'director', (project) => ({ ...project, seenUserCommit: null }))
      break
    case 'mine':
      await adopt(desk, commit ?? '')
      break
    case 'restore':
      await hands.restore?.()
      break
    case 'follow':
      if (commit !== null) await hands.followRewritten?.(commit)
      break
    case 'lift':
      await liftUnpaid(desk)
      break
    case 'retry':
      break
    default:
      return 'left'
  }
  desk.done({ takenInAtMs: 0, isPublishingDue: true })
  return 'followed'
}
