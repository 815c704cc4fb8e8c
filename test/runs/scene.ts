import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CaseCommand } from '../../src/cases/command.ts'
import type { RunClock } from '../../src/runs/run-ports.ts'
import type { Entry } from '../../src/sim/playbook.ts'
import type { Step } from '../../src/sim/step.ts'
import { Theatre } from '../delivery/theatre.ts'
import { sh } from '../git/scratch.ts'

export type { Theatre } from '../delivery/theatre.ts'

export const TASK = 'task-001'
const WAIT_MAX_MS = 240_000
const LOOK_EVERY_MS = 20

export interface SceneOptions {
  /** What the simulated developers do; other roles play their part, unless an entry names them. */
  readonly entries?: readonly Entry[]
  readonly verification?: readonly string[]
  readonly agents?: Readonly<Record<string, unknown>>
  /** More of the configuration. */
  readonly config?: Readonly<Record<string, unknown>>
  readonly clock?: RunClock
  readonly random?: () => number
  readonly environment?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
  /** What the tasks are about; one when absent. */
  readonly tasks?: readonly string[]
}

export const complete: Step = { do: 'signal', tag: 'COMPLETE' }
export const say = (text: string): Step => ({ do: 'say', text })
/** Writes a file and commits it. */
export const work = (file: string, text: string): Step[] => [
  { do: 'edit', file, write: text },
  { do: 'commit', message: `feat: ${file}` },
]

/** Without a name it is the developers' part: critics and auditors would else fail and lie with them. */
export const developers = (entries: readonly Entry[]): Entry[] =>
  entries.map((entry) => ({ role: 'developer', ...entry }))

function casesFor(tasks: readonly string[]): CaseCommand[] {
  return [
    { kind: 'create', type: 'operation', content: 'Greet people', as: 'o' },
    ...tasks.map((content): CaseCommand => {
      const metadata = { acceptanceCriteria: ['greeting.txt says hello'] }
      return { kind: 'create', type: 'task', parentId: '$o', content, metadata }
    }),
  ]
}

/** A project whose tasks the product's own director takes from ready to landed, with simulated agents in real git. */
export function openScene(options: SceneOptions = {}): Promise<Theatre> {
  const { entries = [], verification = [], agents, config, tasks = ['Add a greeting'] } = options
  return Theatre.open({
    cases: casesFor(tasks),
    entries: developers(entries),
    config: {
      review: { defaultMode: 'skip' },
      verification,
      ...config,
      agents: { driver: 'sim', maxConcurrent: 1, ...agents },
    },
    ...(options.files ? { files: options.files } : {}),
    ...(options.clock ? { clock: options.clock } : {}),
    ...(options.random ? { random: options.random } : {}),
    ...(options.environment ? { environment: options.environment } : {}),
  })
}

export const integrationOf = ({ root }: Theatre): string => join(root, '.axiom/integration.git')

/** The tasks whose change is on the target of record, as often as it is there. */
export function landedOn(theatre: Theatre): string[] {
  const format = '%(trailers:key=Task,valueonly,separator=)'
  return sh(integrationOf(theatre), `git log --reverse --format='${format}' main`)
    .split('\n')
    .filter((line) => line !== '')
}

export function logOf(theatre: Theatre, task = TASK): Record<string, unknown>[] {
  return theatre
    .read(`agents/echo/logs/${task}.jsonl`)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

export async function until(holds: () => boolean | Promise<boolean>, why = 'it did not come to pass') {
  const begun = Date.now()
  while (!(await holds())) {
    if (Date.now() - begun > WAIT_MAX_MS) throw new Error(why)
    await sleep(LOOK_EVERY_MS)
  }
}
