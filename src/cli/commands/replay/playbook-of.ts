import type { RecordedTurn } from '../../../project/recording.ts'
import type { Entry, Playbook } from '../../../sim/playbook.ts'
import type { Step } from '../../../sim/step.ts'

/** A task that landed, and the commit that brought it; the first landed first. */
export interface RecordedLanding {
  readonly task: string
  readonly commit: string
}

/** The folder beside the playbook in which each landed task has a file. */
export const LANDED = 'landed'
const WAIT_MS_MAX = 3_600_000

/**
 * The steps with which simulated agents repeat the recorded messages and commits. Each turn waits for what
 * had landed when it began, and the last audit of a task for everything that landed before it: so all work
 * lands in the same order, on the same base, at any speed.
 */
export function playbookOf(turns: readonly RecordedTurn[], landings: readonly RecordedLanding[]): Playbook {
  const counts = new Map<string, number>()
  const played = turns.filter(({ end }) => end === 'completed')
  const entries = played.map((turn): Entry => {
    const { role, task } = turn
    const key = `${role} ${task}`
    const number = (counts.get(key) ?? 0) + 1
    counts.set(key, number)
    const isLast = !played.slice(played.indexOf(turn) + 1).some((later) => isSame(later, turn))
    const steps = [...waitFor(turn, landings, isLast), ...stepsOf(turn)]
    return { role, tasks: [task], turn: number, steps }
  })
  return { entries }
}

function isSame(a: RecordedTurn, b: RecordedTurn): boolean {
  return a.role === b.role && a.task === b.task
}

function waitFor(turn: RecordedTurn, landings: readonly RecordedLanding[], isLast: boolean): Step[] {
  const seen = landings.findIndex(({ commit }) => commit === turn.target)
  const own = landings.findIndex(({ task }) => task === turn.task)
  const last = landings[turn.role === 'auditor' && isLast ? Math.max(seen, own - 1) : seen]
  return last === undefined ? [] : [{ do: 'barrier', path: `${LANDED}/${last.task}`, atMostMs: WAIT_MS_MAX }]
}

/** The last message holds the verdict, so the work comes before it. */
function stepsOf({ role, speech, change }: RecordedTurn): Step[] {
  const said = speech.map((text): Step => ({ do: 'say', text }))
  return [...said.slice(0, -1), ...workOf(role, change), ...said.slice(-1)]
}

function workOf(role: string, change: RecordedTurn['change']): Step[] {
  if (change === null) return []
  const { patch, message, files } = change
  const commit: Step = { do: 'commit', ...(message === '' ? {} : { message }), allowEmpty: true }
  if (role === 'resolver') return [{ do: 'settle', files: files ?? {} }, commit]
  return patch === '' ? [commit] : [{ do: 'patch', text: patch }, commit]
}
