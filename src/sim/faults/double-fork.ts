import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import type { Stage } from '../stage.ts'
import type { StepOf } from '../step.ts'

const ORPHAN_SECONDS = 120

/**
 * Leaves a process behind that is in no group or session of the agent, has no parent among its processes,
 * ignores TERM, HUP and INT, and has none of its environment but PATH. The marker in its arguments identifies
 * it.
 */
export async function playDoubleFork(step: StepOf<'double-fork'>, stage: Stage): Promise<void> {
  const seconds = String(step.seconds ?? ORPHAN_SECONDS)
  const proof = step.writes === undefined ? '' : resolve(stage.situation.workspace, step.writes)
  const orphan = 'trap "" TERM HUP INT; sleep "$1"; test -z "$2" || echo survived > "$2"'
  const script = `(setsid env -i PATH="$PATH" sh -c '${orphan}' "$@" >/dev/null 2>&1 </dev/null &)`
  const child = spawn('sh', ['-c', script, 'sh', step.marker ?? 'axiom-sim-orphan', seconds, proof], {
    cwd: stage.situation.workspace,
    stdio: 'ignore',
    detached: true,
  })
  await new Promise<void>((done) => {
    child.on('error', () => done())
    child.on('close', () => done())
  })
}
