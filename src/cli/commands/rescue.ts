import type { Command } from 'commander'
import { Failure } from '../../platform/failure.ts'
import { listRefs } from '../../platform/git/repository-operations.ts'
import { RESCUE, rescueStores } from '../../workspaces/rescue-store.ts'
import { type Context, print } from '../context.ts'
import { withExamples } from '../examples.ts'
import { headline } from '../render/plain-text.ts'
import { type LandedProject, withGround } from '../with-ground.ts'

const SUBJECT_WIDTH = 60
const BRANCH = 'rescue'

export function define(command: Command, context: () => Context): void {
  command
    .argument('[ref]', 'what to bring back, as the list names it; without it, the list')
    .action((ref: string | undefined) => (ref === undefined ? list(context()) : bringBack(context(), ref)))
  withExamples(command, 'axiom rescue', 'axiom rescue echo-001-task-001/1/tree')
}

/** Something that a cleanup, a stop or a crash would have lost. */
interface Saved {
  readonly ref: string
  readonly commit: string
  readonly at: string
  readonly subject: string
  /** Git's own check rejects its objects: they are kept apart, only to be inspected. */
  readonly unsound: boolean
  readonly gitDir: string
}

async function savedIn({ ground }: LandedProject): Promise<Saved[]> {
  const found: Saved[] = []
  const format = '--format=%(objectname)%00%(refname)%00%(committerdate:iso-strict)%00%(subject)'
  for (const store of await rescueStores(ground)) {
    const listed = await ground.git.text(store, ['for-each-ref', format, `${RESCUE}/`])
    for (const line of listed.split('\n').filter((one) => one !== '')) {
      const [commit = '', ref = '', at = '', subject = ''] = line.split('\0')
      const unsound = store.gitDir !== ground.integration.gitDir
      found.push({ ref: ref.slice(RESCUE.length + 1), commit, at, subject, unsound, gitDir: store.gitDir })
    }
  }
  return found.toSorted((a, b) => b.at.localeCompare(a.at) || a.ref.localeCompare(b.ref))
}

function list(context: Context): Promise<void> {
  const show = (saved: readonly Saved[]): void => {
    const value = saved.map(({ gitDir: _gitDir, ...shown }) => shown)
    print(context, value, () => draw(context, saved))
  }
  return withGround(
    context,
    'rescue',
    async (project) => show(await savedIn(project)),
    () => show([]),
  )
}

function draw({ colors }: Context, saved: readonly Saved[]): string {
  if (saved.length === 0) return colors.dim('Nothing had to be saved.')
  return saved
    .map(({ ref, at, subject, unsound }) => {
      const mark = unsound ? colors.red('  objects that git refuses') : ''
      return `${ref}  ${colors.dim(at)}  ${headline(subject, SUBJECT_WIDTH)}${mark}`
    })
    .join('\n')
}

function bringBack(context: Context, wanted: string): Promise<void> {
  return withGround(context, 'rescue', async (project) => {
    const { ground, userGitDir } = project
    const name = wanted.startsWith(`${RESCUE}/`) ? wanted.slice(RESCUE.length + 1) : wanted
    const saved = (await savedIn(project)).find(({ ref, commit }) => ref === name || commit === name)
    if (!saved) {
      throw new Failure('RESCUE_NOT_FOUND', `nothing was saved as ${wanted}`, {
        hint: '"axiom rescue" lists what was saved',
      })
    }
    if (saved.unsound) {
      throw new Failure('RESCUE_UNSOUND', `${saved.ref} holds objects that git's own check refuses`, {
        hint: `look at it where it is: git --git-dir ${saved.gitDir} show ${saved.commit}`,
      })
    }
    const branch = await freeBranch(project, saved.ref)
    const words = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--']
    const source = `${RESCUE}/${saved.ref}:refs/heads/${branch}`
    await ground.git.run({ gitDir: userGitDir }, [...words, ground.integration.gitDir, source])
    const value = { branch, commit: saved.commit }
    print(context, value, () => `${saved.ref} is now the branch ${branch}. Look at it: git show ${branch}`)
  })
}

/** Never moves a branch of the user: a name that is taken gets a number. */
async function freeBranch({ ground, userGitDir }: LandedProject, ref: string): Promise<string> {
  const taken = await listRefs(ground.git, { gitDir: userGitDir }, `refs/heads/${BRANCH}`)
  const plain = `${BRANCH}/${ref.replaceAll('/', '-')}`
  for (let number = 1; ; number += 1) {
    const branch = number === 1 ? plain : `${plain}-${number}`
    if (!taken.has(`refs/heads/${branch}`)) return branch
  }
}
