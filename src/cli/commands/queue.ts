import type { Command } from 'commander'
import type { CaseId } from '../../cases/case.ts'
import { liveWorks } from '../../director/land/live-works.ts'
import { type QueueBoard, readQueueBoard } from '../../director/land/queue-board.ts'
import { foldQueue, type QueueEntry } from '../../events/landing-queue.ts'
import { lastLanding } from '../../integration/landing-record.ts'
import { type PairWeather, type Weather, WeatherStation } from '../../integration/weather.ts'
import { resolveCommit } from '../../platform/git/repository-operations.ts'
import type { CaseRecord } from '../../store/store.ts'
import { type Context, print } from '../context.ts'
import { withExamples } from '../examples.ts'
import { headline } from '../render/plain-text.ts'
import { type LandedProject, withGround } from '../with-ground.ts'

const TITLE_WIDTH = 60
const RECENT_MAX = 5

export function define(command: Command, context: () => Context): void {
  command.action(() => queue(context()))
  withExamples(command, 'axiom queue', 'axiom queue --json')
}

interface Shown extends QueueEntry {
  /** Entries of one number are checked together; null where no director has planned it. */
  readonly batch: number | null
  readonly conflict: {
    readonly level: string
    readonly files: readonly string[]
    readonly workspace: string | null
  } | null
}

interface Picture {
  readonly target: string
  readonly commit: string
  /** Whether the user's own branch has everything that landed. */
  readonly published: boolean
  readonly entries: readonly Shown[]
  /** The last that landed, the newest first. */
  readonly landed: readonly {
    readonly commit: string
    readonly subject: string
    /** Null for a commit that no task made: a person did. */
    readonly task: CaseId | null
    /** Whether the user's own branch has it. */
    readonly published: boolean
  }[]
  readonly weather: Weather
}

function queue(context: Context): Promise<void> {
  return withGround(
    context,
    'queue',
    async (project) => {
      const picture = await look(project)
      print(context, picture, () => draw(context, picture))
    },
    (target) => {
      const text = 'Nothing waits to land: nothing was worked on yet.'
      print(context, untouched(target), () => context.colors.dim(text))
    },
  )
}

function untouched(target: string): Picture {
  const weather = { tasks: [], pairs: [], unseen: 0 }
  return { target, commit: '', published: true, entries: [], landed: [], weather }
}

async function look(project: LandedProject): Promise<Picture> {
  const { store, ground, userGitDir } = project
  const { git, integration } = ground
  const ref = `refs/heads/${integration.target}`
  const cases = await store.query({})
  const commit = (await resolveCommit(git, integration, ref)) ?? ''
  const user = await resolveCommit(git, { gitDir: userGitDir }, ref)
  const records = new Map(cases.map((one) => [one.id, lastLanding(one)?.conflict ?? null]))
  const board = await readQueueBoard(project.folder, Date.now())
  const scratchDir = `${project.folder}/scratch`
  const station = new WeatherStation({ git, repository: { gitDir: integration.gitDir }, scratchDir })
  return {
    target: integration.target,
    commit,
    published: user === commit,
    entries: foldQueue(cases).map((entry) => ({
      ...entry,
      batch: batchOf(board, entry.id),
      conflict: conflictOf(records.get(entry.id)),
    })),
    landed: commit === '' ? [] : await recent(project, commit, cases),
    weather: await station.look(commit === '' ? [] : await liveWorks(project)),
  }
}

function batchOf(board: QueueBoard | undefined, id: string): number | null {
  const at = board?.batches.findIndex((batch) => batch.includes(id)) ?? -1
  return at < 0 ? null : at + 1
}

function conflictOf(
  record: NonNullable<ReturnType<typeof lastLanding>>['conflict'] | undefined,
): Shown['conflict'] {
  return record ? { level: record.level, files: record.files, workspace: record.workspace } : null
}

async function recent(
  { ground }: LandedProject,
  commit: string,
  cases: readonly CaseRecord[],
): Promise<Picture['landed']> {
  const words = ['log', '--first-parent', `--max-count=${RECENT_MAX}`, '--format=%H %s', commit, '--']
  const lines = (await ground.git.text(ground.integration, words)).split('\n')
  const brought = new Map(
    cases.flatMap((one) => {
      const landed = lastLanding(one)?.landed
      return landed ? [[landed.commit, { task: one.id, published: landed.published }] as const] : []
    }),
  )
  return lines.map((line) => {
    const landed = line.slice(0, line.indexOf(' '))
    const { task, published } = brought.get(landed) ?? { task: null, published: true }
    return { commit: landed, subject: line.slice(line.indexOf(' ') + 1), task, published }
  })
}

function draw({ colors }: Context, { target, commit, published, entries, landed, weather }: Picture): string {
  const standing = published ? 'your branch has it all' : 'your branch does not have it all yet'
  return [
    `${colors.bold(target)} at ${commit.slice(0, 12)}, ${standing}`,
    '',
    ...(entries.length === 0
      ? [colors.dim('Nothing waits to land.')]
      : entries.map((entry) => entryLine(colors, entry))),
    ...(landed.length > 0
      ? ['', colors.dim('Last on the target'), ...landed.map((one) => landedLine(colors, one))]
      : []),
    ...(weather.pairs.length > 0
      ? ['', colors.dim('Weather'), ...weather.pairs.map((pair) => pairLine(colors, pair))]
      : []),
    ...(weather.unseen > 0
      ? [colors.dim(`  ${weather.unseen} more pairs share files and were not merged`)]
      : []),
  ].join('\n')
}

function landedLine(colors: Context['colors'], { subject, published }: Picture['landed'][number]): string {
  const note = published ? '' : colors.yellow('  not on your branch yet')
  return `  ${headline(subject, TITLE_WIDTH + 20)}${note}`
}

function entryLine(
  colors: Context['colors'],
  { id, title, refused, resolver, conflict, batch }: Shown,
): string {
  const notes = [
    batch === null ? '' : `batch ${batch}`,
    refused > 0 ? `sent back ${refused} times` : '',
    resolver === null ? '' : `${resolver} settles its conflict`,
    conflict === null ? '' : `${conflict.level} conflict in ${conflict.files.join(', ')}`,
    conflict?.workspace ? `open ${conflict.workspace}` : '',
  ].filter((note) => note !== '')
  return `${id.padEnd(10)} ${headline(title, TITLE_WIDTH)}${notes.length > 0 ? colors.yellow(`  ${notes.join('; ')}`) : ''}`
}

function pairLine(colors: Context['colors'], { tasks, sky, files }: PairWeather): string {
  const mark = sky === 'same-lines' ? colors.red('same lines') : colors.yellow('same file ')
  return `  ${tasks.join(' × ')}  ${mark}  ${files.map((file) => headline(file, TITLE_WIDTH)).join(', ')}`
}
