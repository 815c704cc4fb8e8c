import { join } from 'node:path'
import { expect } from 'vitest'
import type { CaseCommand } from '../../src/cases/command.ts'
import { configSchema } from '../../src/config/schema.ts'
import type { DeliveryStateName } from '../../src/delivery/delivery-state.ts'
import { personEventContext } from '../../src/project/delivery/event-context.ts'
import { readProject } from '../../src/project/document.ts'
import { answerQuestion } from '../../src/project/interventions/answer-question.ts'
import { retryTask } from '../../src/project/interventions/retry-task.ts'
import { reviewTask } from '../../src/project/interventions/review-task.ts'
import type { Entry } from '../../src/sim/playbook.ts'
import { complete, say, work } from './story.ts'
import { PowerCut, Theatre, type TheatreOptions } from './theatre.ts'

/** A state in which a task only waits: how it comes there, what holds while it does, and how it goes on. */
export interface Wait {
  readonly state: DeliveryStateName
  readonly task: string
  /** The tasks that are on the target in the end. */
  readonly landing: readonly string[]
  open(): Promise<Theatre>
  /** A first director, which ends or dies when the task is there. */
  bringThere(theatre: Theatre): Promise<void>
  /** A new director over the same store and git, and a look when it has done all that it can. */
  lookOn(theatre: Theatre, look: () => Promise<void>): Promise<void>
  /** What the task waits for happens. */
  bringToEnd(theatre: Theatre): Promise<void>
}

const FIRST = 'task-001'
const SECOND = 'task-002'
const THIRD = 'task-003'
const POLL_MS = 20
const POLLS_MAX = 15_000

const task = (
  file: string,
  { tags = [], hints = [] }: { readonly tags?: string[]; readonly hints?: string[] } = {},
): CaseCommand => ({
  kind: 'create',
  type: 'task',
  parentId: '$o',
  content: `Write ${file}`,
  tags,
  metadata: { acceptanceCriteria: [`${file} contains "hello"`], fileHints: hints },
})

function openWith(
  tasks: readonly CaseCommand[],
  entries: readonly Entry[],
  config: Readonly<Record<string, unknown>>,
  files: TheatreOptions['files'] = {},
): Promise<Theatre> {
  return Theatre.open({
    files,
    config: { review: { defaultMode: 'skip' }, ...config },
    cases: [
      { kind: 'create', type: 'directive', content: 'Greet people', as: 'd' },
      { kind: 'create', type: 'operation', content: 'Greetings', parentId: '$d', as: 'o' },
      ...tasks,
    ],
    entries,
  })
}

const GOOD: readonly Entry[] = [FIRST, SECOND, THIRD].map((id) => ({
  role: 'developer',
  tasks: [id],
  steps: [...work(`${id}.txt`, 'hello\n'), complete],
}))

const persons = (theatre: Theatre) =>
  personEventContext(join(theatre.root, theatre.vocabulary.folder), configSchema.parse({}))

async function answer(theatre: Theatre, text: string): Promise<void> {
  const request = { id: FIRST, text, by: 'user' }
  expect(await answerQuestion(await theatre.store(), persons(theatre), request)).toMatchObject({
    kind: 'answered',
  })
}

async function approve(theatre: Theatre, id: string): Promise<void> {
  const folder = join(theatre.root, theatre.vocabulary.folder)
  const request = { id, by: 'user', decision: 'approve', issues: [], text: null, option: null, hint: null }
  const outcome = await reviewTask(await theatre.store(), persons(theatre), folder, {
    ...request,
    decision: 'approve',
  })
  expect(outcome).toMatchObject({ kind: 'reviewed' })
}

async function retry(theatre: Theatre, guidance?: string): Promise<void> {
  const outcome = await retryTask(await theatre.store(), persons(theatre), 'user', FIRST, guidance)
  expect(outcome).toMatchObject({ kind: 'retried' })
}

/** What a person said is told to whoever comes next, and not twice in one breath. */
function expectOnce(text: string | undefined, words: string): void {
  expect(text?.split(words)).toHaveLength(2)
}

async function runToRest(theatre: Theatre): Promise<void> {
  expect(await theatre.run()).toBe('nothing-left')
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let polls = 0; !(await condition()); polls += 1) {
    if (polls >= POLLS_MAX) throw new Error(`it did not come to pass: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

const isIn = async (theatre: Theatre, id: string, state: DeliveryStateName) =>
  (await theatre.delivery(id)).state === state

/** A task that waits for a person alone: nothing that a director does changes it. */
function personsWait(
  state: DeliveryStateName,
  { entries = GOOD, config = {} }: { readonly entries?: readonly Entry[]; readonly config?: object },
  goOn: (theatre: Theatre) => Promise<void>,
  lookBack: (theatre: Theatre) => void = () => undefined,
): Wait {
  return {
    state,
    task: FIRST,
    landing: [FIRST],
    open: () => openWith([task(`${FIRST}.txt`)], entries, { ...config }),
    bringThere: runToRest,
    async lookOn(theatre, look) {
      await runToRest(theatre)
      await look()
    },
    async bringToEnd(theatre) {
      await goOn(theatre)
      await runToRest(theatre)
      lookBack(theatre)
    },
  }
}

const CHECK = 'grep -q ready state.txt'
const BROKEN = { 'state.txt': 'broken\n' }
const report = (id: string) =>
  say(
    `INFRA_BLOCKED: ${id}\n\nIssue: the state file says nothing\nCommand: ${CHECK}\nOutput: none\nEnvironment: local`,
  )
const REPAIR: Entry = { role: 'remediator', steps: [...work('state.txt', 'ready\n'), { do: 'play' }] }

/** A repair that was given up, with another task that is held by it. */
function givenUp(state: 'repair-escalated' | 'halted'): Wait {
  return {
    state,
    task: FIRST,
    landing: [FIRST, SECOND],
    open: () =>
      openWith(
        [task(`${FIRST}.txt`, { tags: ['critical'] }), task(`${SECOND}.txt`)],
        [
          { role: 'developer', tasks: [FIRST], steps: [report(FIRST)] },
          { role: 'remediator', steps: [{ do: 'crash' }] },
          ...GOOD,
        ],
        {
          verification: [CHECK],
          agents: { driver: 'sim', maxConcurrent: 1 },
          review: { defaultMode: 'skip', remediationAttempts: 2 },
        },
        BROKEN,
      ),
    async bringThere(theatre) {
      await runToRest(theatre)
      if (state === 'halted') await answer(theatre, 'halt')
    },
    async lookOn(theatre, look) {
      await runToRest(theatre)
      await look()
      expect((await theatre.delivery(SECOND)).state).toBe('queued')
      const { project } = await readProject(await theatre.store())
      expect(project.repairLedBy).toBe(FIRST)
      expect(project.pause?.cause).toBe(state === 'halted' ? 'halt' : undefined)
    },
    async bringToEnd(theatre) {
      theatre.play([REPAIR, ...GOOD])
      await answer(theatre, 'retry, and write the word ready')
      await runToRest(theatre)
      expectOnce(theatre.prompts('remediator', FIRST).at(-1), 'write the word ready')
      expect((await readProject(await theatre.store())).project).toMatchObject({
        repairLedBy: null,
        pause: null,
      })
    },
  }
}

/** The second of two that report a fault waits for the repair of the first. */
const AWAITING: Wait = {
  state: 'awaiting-repair',
  task: SECOND,
  landing: [FIRST, SECOND],
  open: () =>
    openWith(
      [task(`${FIRST}.txt`), task(`${SECOND}.txt`)],
      [
        { role: 'developer', tasks: [FIRST], iteration: 1, steps: [report(FIRST)] },
        { role: 'developer', tasks: [SECOND], iteration: 1, steps: [report(SECOND)] },
        REPAIR,
        ...GOOD,
      ],
      { verification: [CHECK] },
      BROKEN,
    ),
  async bringThere(theatre) {
    const ending = await theatre.runMortal(async (state, { id }) => {
      // The second works on when the repair has begun, and the repair dies when it has reported as well.
      if (state === 'developing' && id === SECOND) await until(() => isIn(theatre, FIRST, 'remediating'))
      if (state !== 'remediating') return false
      await until(() => isIn(theatre, SECOND, 'awaiting-repair'))
      return true
    }, 2)
    expect(ending).toBeInstanceOf(PowerCut)
  },
  async lookOn(theatre, look) {
    let looks = 0
    const ending = await theatre.runMortal(async (state) => {
      if (state === 'remediating' || state === 'health-check') await look()
      if (state === 'health-check') looks += 1
      return looks > 0
    }, 2)
    expect(ending).toBeInstanceOf(PowerCut)
  },
  bringToEnd: runToRest,
}

/** A file that is on its way to the target with a task that a person has to look at. */
const FILE_WAITING: Wait = {
  state: 'file-waiting',
  task: SECOND,
  landing: [FIRST, SECOND, THIRD],
  open: () =>
    openWith(
      [
        task(`${FIRST}.txt`, { tags: ['critical', 'looked-at'], hints: ['shared.txt'] }),
        task(`${SECOND}.txt`, { tags: ['quick-win'] }),
        task(`${THIRD}.txt`),
      ],
      [
        {
          role: 'developer',
          tasks: [SECOND],
          iteration: 1,
          steps: [
            say('FILE CONFLICT: shared.txt\n\nI Need To: add a line\nReason: it is listed\nCan Wait: YES'),
          ],
        },
        {
          role: 'developer',
          tasks: [SECOND],
          // What the other did to the file is there.
          steps: [
            { do: 'run', command: 'grep -q first shared.txt', mustPass: true },
            ...work(`${SECOND}.txt`, 'hello\n'),
            complete,
          ],
        },
        {
          role: 'developer',
          tasks: [FIRST],
          steps: [...work('shared.txt', 'first\n'), ...work(`${FIRST}.txt`, 'hello\n'), complete],
        },
        ...GOOD,
      ],
      { review: { defaultMode: 'skip', labels: { 'looked-at': 'per-task' } } },
    ),
  async bringThere(theatre) {
    const ending = await theatre.runMortal((_, { id }) => id === THIRD)
    expect(ending).toBeInstanceOf(PowerCut)
  },
  async lookOn(theatre, look) {
    const ending = await theatre.run(async ({ director }) => {
      await until(() => isIn(theatre, THIRD, 'landed'))
      await look()
      director.leave('now')
    })
    expect(ending).toBe('stopped')
  },
  async bringToEnd(theatre) {
    await approve(theatre, FIRST)
    await runToRest(theatre)
    expect(await theatre.moves(SECOND)).toContain('FILE_FREE by director: file-waiting → developing')
    expectOnce(theatre.prompts('echo', SECOND).at(-1), 'shared.txt is free')
  },
}

/** Not begun when its director dies over the task that it depends on. */
const QUEUED: Wait = {
  state: 'queued',
  task: SECOND,
  landing: [FIRST, SECOND],
  open: () =>
    openWith(
      [task(`${FIRST}.txt`), { ...task(`${SECOND}.txt`), dependsOn: [FIRST] } as CaseCommand],
      GOOD,
      {},
    ),
  async bringThere(theatre) {
    expect(await theatre.runMortal(() => true)).toBeInstanceOf(PowerCut)
  },
  async lookOn(theatre, look) {
    const ending = await theatre.runMortal(async (state) => {
      await look()
      return state === 'critique'
    })
    expect(ending).toBeInstanceOf(PowerCut)
  },
  bringToEnd: runToRest,
}

/** One reports a fault, one is under way, one has not begun: what each may do while the fault is repaired. */
export async function repairBesideWork(): Promise<Theatre> {
  const theatre = await openWith(
    [task(`${FIRST}.txt`), task(`${SECOND}.txt`), task(`${THIRD}.txt`)],
    [
      { role: 'developer', tasks: [FIRST], iteration: 1, steps: [report(FIRST)] },
      { role: 'remediator', steps: [{ do: 'play' }] },
      ...GOOD,
    ],
    {},
  )
  const ending = await theatre.runMortal(async (state, { id }) => {
    if (state === 'developing' && id === SECOND) await until(() => isIn(theatre, FIRST, 'remediating'))
    if (state !== 'remediating') return false
    // The work under way is reviewed, audited and landed while the repair is not even begun.
    await until(() => isIn(theatre, SECOND, 'landed'))
    expect((await theatre.delivery(THIRD)).state).toBe('queued')
    return false
  }, 2)
  expect(ending).toBe('nothing-left')
  return theatre
}

export const WAITS: readonly Wait[] = [
  QUEUED,
  personsWait(
    'asking',
    {
      entries: [
        { role: 'developer', iteration: 1, steps: [{ do: 'ask', question: 'By name, or not?' }] },
        ...GOOD,
      ],
    },
    (theatre) => answer(theatre, 'by name'),
  ),
  personsWait('person-review', { config: { review: { defaultMode: 'per-task' } } }, (theatre) =>
    approve(theatre, FIRST),
  ),
  personsWait(
    'failed',
    {
      entries: [{ role: 'developer', steps: [{ do: 'crash' }] }],
      config: { agents: { driver: 'sim', retries: 0 } },
    },
    async (theatre) => {
      theatre.play(GOOD)
      await answer(theatre, 'retry, and greet politely')
    },
    (theatre) => expectOnce(theatre.prompts('echo', FIRST).at(-1), 'greet politely'),
  ),
  personsWait(
    'timed-out',
    {
      entries: [{ role: 'developer', iteration: 1, steps: [say('I am thinking.')] }, ...GOOD],
      config: { agents: { driver: 'sim', maxIterations: 1 } },
    },
    (theatre) => retry(theatre, 'greet politely'),
    (theatre) => expectOnce(theatre.prompts('echo', FIRST).at(-1), 'greet politely'),
  ),
  personsWait('landed', {}, async () => undefined),
  AWAITING,
  FILE_WAITING,
  givenUp('repair-escalated'),
  givenUp('halted'),
]
