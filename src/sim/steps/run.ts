import { type ChildProcess, spawn } from 'node:child_process'
import { identityEnvironment } from '../repository.ts'
import { SimFailure } from '../sim-failure.ts'
import { Interrupted, type Stage } from '../stage.ts'
import type { StepOf } from '../step.ts'
import { type ToolOutcome, useTool } from './use-tool.ts'

const COMMAND_TIMEOUT_MS = 120_000
const OUTPUT_CHARACTERS_MAX = 64_000

export async function playRun(step: StepOf<'run'>, stage: Stage): Promise<void> {
  const { command } = step
  const act = () => runCommand(stage, 'sh', ['-c', command], step.timeoutMs ?? COMMAND_TIMEOUT_MS)
  const outcome = await useTool(stage, 'Bash', { command }, step.asks ?? false, act)
  if (outcome.failed && step.mustPass)
    throw new SimFailure('SIM_STEP_FAILED', `"${command}": ${outcome.text}`)
}

/** Commands still running; they end with the agent. */
const running = new Set<ChildProcess>()

export function killRunning(): void {
  for (const child of running) killGroup(child)
}

/** Runs a program in the workspace, in a process group of its own, and keeps its output. */
export async function runCommand(
  stage: Stage,
  program: string,
  args: readonly string[],
  timeoutMs: number,
): Promise<ToolOutcome> {
  const { workspace, agent } = stage.situation
  const child = spawn(program, args, {
    cwd: workspace,
    env: { ...stage.environment, ...identityEnvironment(workspace, agent, stage.environment) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  running.add(child)
  let output = ''
  const keep = (chunk: Buffer): void => {
    if (output.length < OUTPUT_CHARACTERS_MAX) output += chunk.toString('utf8')
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const timer = setTimeout(() => killGroup(child), timeoutMs)
  const interrupted = (): void => killGroup(child)
  stage.abort.addEventListener('abort', interrupted)
  const ended = await new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(String(error)))
    child.on('close', (code, signal) => resolve(code === 0 ? '' : `exit ${code ?? signal}`))
  })
  clearTimeout(timer)
  stage.abort.removeEventListener('abort', interrupted)
  running.delete(child)
  if (stage.abort.aborted) throw new Interrupted('aborted_tools')
  const text = output.slice(0, OUTPUT_CHARACTERS_MAX)
  return { text: ended === '' ? text : `${text}\n${ended}`.trim(), failed: ended !== '' }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}
