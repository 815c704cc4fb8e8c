import type { Case, CaseId } from '../../cases/case.ts'
import { changeProject } from '../../project/document.ts'
import { liftCommands } from '../../project/interventions/override-case.ts'
import {
  MATTER_KEY,
  optionIn,
  optionNames,
  PROJECT_QUESTIONS,
  type ProjectQuestionOption,
  projectQuestionOf,
} from '../../project/questions/project-question.ts'
import { unpaidUse } from '../budgets/unpaid-repair.ts'
import type { Desk } from '../context.ts'
import { closing, isOpen, raiseQuestion } from './raise-question.ts'

/**
 * Follows the answer about the user's branch, the remote or a repair, or gives the default when the time is
 * over.
 */
export async function settleQuestion(desk: Desk, id: CaseId): Promise<void> {
  const { store } = desk.means
  const [subject] = await store.query({ ids: [id] })
  const matter = subject && projectQuestionOf(subject)
  if (!subject || !matter || matter.followed) return
  if (isOpen(subject)) {
    const { fallback } = PROJECT_QUESTIONS[matter.kind]
    if (fallback !== null)
      await store.transact({ commands: closing(subject, fallback, false), by: 'default' })
    return
  }
  const decision = decisionOf(subject)
  // A question that was closed without an answer means `leave`.
  const option = decision === '' ? 'leave' : optionIn(matter.kind, decision)
  if (option === undefined) {
    const { code, question } = PROJECT_QUESTIONS[matter.kind]
    const message = `${question}\n${id} was answered with "${decision.slice(0, DECISION_CHARACTERS_MAX)}", and nothing was done. It is asked again while it is so; answer one of: ${optionNames(matter.kind)}.`
    desk.means.notify({ code, severity: 'high', message })
  } else await follow(desk, option, matter.commit)
  if (option !== 'leave') desk.want('take-in', 'publish')
  // Only an answer of `leave` keeps the name: the same problem is then not asked about again.
  const name = option === 'leave' ? matter.name : `${matter.name}/${id}`
  await store.transact({
    commands: [{ kind: 'update', id, metadata: { [MATTER_KEY]: { ...matter, name, followed: true } } }],
    by: 'director',
  })
}

/** How much of an answer that was not understood is repeated. */
const DECISION_CHARACTERS_MAX = 200

function decisionOf({ metadata: { decision } }: Case): string {
  return typeof decision === 'string' ? decision.trim() : ''
}

/** Takes the user's branch as it is, unless its checks fail. */
async function adopt(desk: Desk, commit: string): Promise<void> {
  for (let tried = 0; tried < ADOPTIONS_TRIED_MAX; tried += 1) {
    const intake = await desk.means.hands.adoptUser?.(commit)
    if (intake?.kind === 'target-moved') continue
    if (intake?.kind === 'taken-in')
      await changeProject(desk.means.store, 'director', (now) => ({ ...now, seenUserCommit: commit }))
    if (intake?.kind === 'rejected') {
      const context = `Your branch is at ${commit}. The checks said:\n${intake.feedback ?? intake.evidence}`
      await raiseQuestion(desk, { kind: 'user-red', name: `${commit}/as it is`, commit, context })
    }
    return
  }
}

/** The target may move this often meanwhile. */
const ADOPTIONS_TRIED_MAX = 5

/** Only the budget that still blocks the repair: it may have been raised before the answer came. */
async function liftUnpaid({ means: { store }, snapshot }: Desk): Promise<void> {
  const unpaid = unpaidUse(snapshot())
  const [subject] = unpaid ? await store.query({ ids: [unpaid.use.id] }) : []
  if (subject) await store.transact({ commands: liftCommands(subject), by: 'director' })
}

async function follow(desk: Desk, option: ProjectQuestionOption, commit: string | null): Promise<void> {
  const { hands, store } = desk.means
  switch (option) {
    case 'merge':
      await changeProject(store, 'director', (project) => ({ ...project, seenUserCommit: null }))
      return
    case 'mine':
      if (commit !== null) await adopt(desk, commit)
      return
    case 'restore':
      return hands.restore?.()
    case 'follow':
      if (commit !== null) await hands.followRewritten?.(commit)
      return
    case 'lift':
      return liftUnpaid(desk)
    case 'retry':
    case 'leave':
      return
  }
}
