import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type CommandResult, runCommand } from '../../platform/process/run-command.ts'
import type { RunInSandbox } from '../../platform/process/run-line.ts'
import { UNATTENDED } from '../../platform/process/unattended.ts'
import type { CommandKind, DetectedUnit } from '../detection/detected.ts'
import type { ProbeWorld } from '../prerequisites/prerequisite.ts'
import { type Checkout, copyFolder } from './checkout.ts'
import { judgeRun, type Outcome, programOf } from './judge-run.ts'
import { proofEnvironment } from './proof-environment.ts'

/** One trial, as it is shown and kept. */
export interface Proof {
  readonly folder: string
  readonly kind: CommandKind | 'setup'
  readonly command: string
  readonly because: string
  readonly outcome: Outcome
  readonly seconds: number
  /** The end of its output, when it did not pass. */
  readonly tail: string
}

export interface ProofLimits {
  readonly setupSeconds: number
  readonly commandSeconds: number
}

const TAIL_MAX_LINES = 12
const OUTPUT_MAX_BYTES = 256 * 1024

export interface Trial {
  readonly world: ProbeWorld
  /** The user's work tree, with installed packages. */
  readonly root: string
  readonly checkout: Checkout
  readonly limits: ProofLimits
  /** Runs lines that the user did not type; without it, they run with the user's rights. */
  readonly runInSandbox?: RunInSandbox
  /** Added to the usual environment of a proof. */
  readonly variables?: Readonly<Record<string, string>>
  /** Called before each command starts, to show progress. */
  started(command: string, folder: string): void
  ended(proof: Proof): void
}

/** Runs each command of a unit once, after its set-up, and reports the results. */
export async function proveUnit(unit: DetectedUnit, trial: Trial): Promise<Proof[]> {
  const proofs: Proof[] = []
  const add = (proof: Proof): void => {
    proofs.push(proof)
    trial.ended(proof)
  }
  let reason: string | undefined
  if (unit.setup !== undefined) {
    const line = { folder: unit.folder, command: unit.setup, because: 'the lock file or manifest' }
    const setup = await proveKnown({ ...line, kind: 'setup' }, trial)
    add(setup)
    if (setup.outcome.kind !== 'passed' && !(await borrowPackages(unit, trial))) {
      reason = 'its packages could not be installed'
    }
  }
  for (const { kind, command, because } of unit.commands) {
    if (reason === undefined) add(await proveKnown({ folder: unit.folder, kind, command, because }, trial))
    else {
      const outcome = missingProgram(command, trial) ?? { kind: 'not-run' as const, reason }
      add({ folder: unit.folder, kind, command, because, outcome, seconds: 0, tail: '' })
    }
  }
  return proofs
}

export type ProofLine = Pick<Proof, 'folder' | 'kind' | 'command' | 'because'>

/** The lines of the rules begin with a program, whose absence is detected without starting it. */
function proveKnown(line: ProofLine, trial: Trial): Promise<Proof> {
  const missing = missingProgram(line.command, trial)
  return missing
    ? Promise.resolve({ ...line, outcome: missing, seconds: 0, tail: '' })
    : proveLine(line, trial)
}

/** Runs one line once in the checkout and reports the result. */
export async function proveLine(line: ProofLine, trial: Trial): Promise<Proof> {
  trial.started(line.command, line.folder)
  const result = await runLine(line, trial)
  const outcome = judgeRun(line.kind, result)
  const tail = outcome.kind === 'passed' ? '' : lastLines(`${result.stdout}\n${result.stderr}`)
  return { ...line, outcome, seconds: result.durationMs / 1_000, tail }
}

function runLine({ kind, command, folder }: ProofLine, trial: Trial): Promise<CommandResult> {
  const { checkout, limits, runInSandbox, variables = {}, world } = trial
  const cwd = join(checkout.path, folder)
  const timeoutMs = (kind === 'setup' ? limits.setupSeconds : limits.commandSeconds) * 1_000
  const bounds = { cwd, timeoutMs, outputMaxBytes: OUTPUT_MAX_BYTES }
  if (runInSandbox !== undefined) {
    // No NO_COLOR: later checks do not set it, and it would break the tests of a program with coloured
    // output.
    const environment = { ...UNATTENDED, ...variables }
    // The whole checkout is visible inside, also for a command in a subfolder.
    return runInSandbox({ ...bounds, line: inFolder(folder, command), environment, cwd: checkout.path })
  }
  const env = { ...proofEnvironment(world.env, checkout.temporary), ...variables }
  return runCommand({ argv: ['sh', '-c', command], env, ...bounds })
}

function inFolder(folder: string, command: string): string {
  if (folder === '') return command
  return `cd '${folder.replaceAll("'", `'\\''`)}' || exit\n${command}`
}

function missingProgram(command: string, { world }: Trial): Outcome | undefined {
  const program = programOf(command)
  if (program === undefined) return undefined
  const folders = (world.env.PATH ?? '').split(delimiter)
  const isFound = folders.some((folder) => existsSync(join(folder, program)))
  return isFound ? undefined : { kind: 'tool-missing', tool: program }
}

/**
 * Without a network nothing can be installed; the packages in the user's work tree will do for a first trial.
 */
export async function borrowPackages(
  unit: Pick<DetectedUnit, 'folder' | 'dependencies'>,
  trial: Trial,
): Promise<boolean> {
  let borrowed = false
  for (const name of unit.dependencies) {
    const from = join(trial.root, unit.folder, name)
    const to = join(trial.checkout.path, unit.folder, name)
    if (existsSync(from)) borrowed = (await copyFolder(trial.world, from, to)) || borrowed
  }
  return borrowed
}

const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g')
// biome-ignore lint/suspicious/noControlCharactersInRegex: output shown in a terminal must not control it
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

function lastLines(output: string): string {
  const lines = output.replaceAll(ESCAPES, '').replaceAll(CONTROLS, '').trim().split('\n')
  return lines.slice(-TAIL_MAX_LINES).join('\n')
}
