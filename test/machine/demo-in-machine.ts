import { join } from 'node:path'
import { type MachineCall, type MachineEnd, runInMachine } from './machine.ts'

/** A demo that is begun in a fresh machine, and the shell lines around it. */
export interface DemoCall extends Pick<MachineCall, 'machine' | 'handed' | 'kept' | 'onOutput'> {
  /** Until the demo can be started; may set `$checkout`, in which nothing may then be changed. */
  readonly prepare: readonly string[]
  /** Starts the demo. */
  readonly demo: string
  /** When it has ended, however it has. */
  readonly afterwards?: readonly string[]
}

/** How a demo in a fresh machine went. */
export interface DemoReport {
  readonly exitCode: number | null
  readonly landed: number | undefined
  /** As the proofs of the run say it, or, where nothing was proven, as the doctor does. */
  readonly level: string
  readonly seconds: number
  /** What should not be there when the demo has ended. */
  readonly left: readonly string[]
  /** The end of what was said, for a person. */
  readonly words: string
}

const DEMO_MS_MAX = 300_000
const WORDS_MAX = 4_000

/** Runs the demo, and looks at the machine when it has ended. */
export async function runDemoInMachine(call: DemoCall): Promise<DemoReport> {
  const { prepare, demo, afterwards = [], ...rest } = call
  const inspect = join(import.meta.dirname, 'programs/inspect-machine.mjs')
  const end = await runInMachine({
    ...rest,
    timeoutMs: DEMO_MS_MAX,
    handed: { ...rest.handed, 'inspect.mjs': inspect },
    script: [
      'set -e',
      ...prepare,
      'set +e',
      `${demo} > /tmp/said`,
      'code=$?',
      'cat /tmp/said',
      `repository=$(sed -n 's/^{"type":"demo".*"repository":"\\([^"]*\\)".*/\\1/p' /tmp/said)`,
      'rm /tmp/said',
      ...afterwards,
      'node /media/handed/inspect.mjs "$checkout" "$repository"',
      'exit $code',
    ].join('\n'),
  })
  return judge(end)
}

interface Inspection {
  readonly processes: readonly string[]
  readonly levels: readonly string[]
  readonly doctor: string | null
  readonly changed: string
  readonly temporary: readonly string[]
  readonly home: readonly string[]
}

/** The demo's own repository stays on purpose, and Node keeps what it compiled. */
const STAYS_IN_TEMPORARY = /^(axiom-demo-|node-compile-cache$)/
const STAYS_IN_HOME = new Set(['.npm', '.npm-global', '.nvm', 'axiom', 'Müllers Projekte', 'link', 'real'])

function judge(end: MachineEnd): DemoReport {
  const lines = end.stdout.split('\n').flatMap(parseLine)
  const summary = lines.find(({ type }) => type === 'summary')
  const inspected = lines.find(({ type }) => type === 'machine') as Inspection | undefined
  const left = inspected
    ? [
        ...inspected.processes.map((words) => `process: ${words}`),
        ...(inspected.changed === '' ? [] : [`changed in the checkout: ${inspected.changed}`]),
        ...inspected.temporary.filter((name) => !STAYS_IN_TEMPORARY.test(name)).map((name) => `/tmp/${name}`),
        ...inspected.home.filter((name) => !STAYS_IN_HOME.has(name)).map((name) => `~/${name}`),
      ]
    : ['it was not looked at']
  return {
    exitCode: end.code,
    landed: summary?.landed as number | undefined,
    level: inspected?.levels.join('+') || (inspected?.doctor ?? 'unknown'),
    seconds: end.seconds,
    left,
    words: `${end.stdout.slice(-WORDS_MAX)}\n${end.stderr.slice(-WORDS_MAX)}`,
  }
}

function parseLine(line: string): Record<string, unknown>[] {
  if (!line.startsWith('{')) return []
  try {
    return [JSON.parse(line) as Record<string, unknown>]
  } catch {
    return []
  }
}
