import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runCommand } from '../../platform/process/run-command.ts'
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
  /** Where the person's own installed packages lie. */
  readonly root: string
  readonly checkout: Checkout
  readonly limits: ProofLimits
  /** Told before each command starts, for a person who waits. */
  started(command: string, folder: string): void
  ended(proof: Proof): void
}

/** Runs each command of a unit once, after its set-up, and says what happened. */
export async function proveUnit(unit: DetectedUnit, trial: Trial): Promise<Proof[]> {
  const proofs: Proof[] = []
  const add = (proof: Proof): void => {
    proofs.push(proof)
    trial.ended(proof)
  }
  let reason: string | undefined
  if (unit.setup !== undefined) {
    const setup = await proveOne(unit, 'setup', unit.setup, 'the lock file or manifest', trial)
    add(setup)
    if (setup.outcome.kind !== 'passed' && !(await borrowPackages(unit, trial))) {
      reason = 'its packages could not be installed'
    }
  }
  for (const { kind, command, because } of unit.commands) {
    if (reason === undefined) add(await proveOne(unit, kind, command, because, trial))
    else {
      const outcome = missingProgram(command, trial) ?? { kind: 'not-run' as const, reason }
      add({ folder: unit.folder, kind, command, because, outcome, seconds: 0, tail: '' })
    }
  }
  return proofs
}

async function proveOne(
  unit: DetectedUnit,
  kind: Proof['kind'],
  command: string,
  because: string,
  trial: Trial,
): Promise<Proof> {
  const base = { folder: unit.folder, kind, command, because }
  const missing = missingProgram(command, trial)
  if (missing) return { ...base, outcome: missing, seconds: 0, tail: '' }
  trial.started(command, unit.folder)
  const seconds = kind === 'setup' ? trial.limits.setupSeconds : trial.limits.commandSeconds
  const result = await runCommand({
    argv: ['sh', '-c', command],
    cwd: join(trial.checkout.path, unit.folder),
    env: proofEnvironment(trial.world.env, trial.checkout.temporary),
    timeoutMs: seconds * 1_000,
    outputMaxBytes: OUTPUT_MAX_BYTES,
  })
  const outcome = judgeRun(kind, result)
  const tail = outcome.kind === 'passed' ? '' : lastLines(`${result.stdout}\n${result.stderr}`)
  return { ...base, outcome, seconds: result.durationMs / 1_000, tail }
}

function missingProgram(command: string, { world }: Trial): Outcome | undefined {
  const program = programOf(command)
  if (program === undefined) return undefined
  const folders = (world.env.PATH ?? '').split(delimiter)
  const isFound = folders.some((folder) => existsSync(join(folder, program)))
  return isFound ? undefined : { kind: 'tool-missing', tool: program }
}

/** Without a network nothing can be installed; what lies beside the person's code is as good for a first look. */
async function borrowPackages(unit: DetectedUnit, trial: Trial): Promise<boolean> {
  let borrowed = false
  for (const name of unit.dependencies) {
    const from = join(trial.root, unit.folder, name)
    const to = join(trial.checkout.path, unit.folder, name)
    if (existsSync(from)) borrowed = (await copyFolder(trial.world, from, to)) || borrowed
  }
  return borrowed
}

const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g')
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a program prints is shown in a terminal and must not steer it
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

function lastLines(output: string): string {
  const lines = output.replaceAll(ESCAPES, '').replaceAll(CONTROLS, '').trim().split('\n')
  return lines.slice(-TAIL_MAX_LINES).join('\n')
}
