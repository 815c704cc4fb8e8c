import { homedir } from 'node:os'
import { join } from 'node:path'
import { simTrial } from '../../../agents/drivers/sim.ts'
import type { Config } from '../../../config/schema.ts'
import { askGit } from '../../../planning/prerequisites/ask-program.ts'
import type { Checkout } from '../../../planning/proving/checkout.ts'
import type { RunInSandbox } from '../../../platform/process/run-line.ts'
import { DEFAULT_LIMITS, type Network } from '../../../platform/sandbox/confinement.ts'
import { probeOnce } from '../../../platform/sandbox/probe-once.ts'
import { createRunInSandbox } from '../../../platform/sandbox/run-confined-line.ts'
import type { SandboxReport } from '../../../platform/sandbox/sandbox-report.ts'
import { BUILT } from '../../built.ts'
import type { Start } from './start.ts'

/** The sandbox in which the commands of a project are tried. */
export interface Walls {
  readonly report: SandboxReport
  /** Undefined where this machine has no sandbox: then the commands run unconfined, as the user. */
  runnerFor(checkout: Checkout): RunInSandbox | undefined
}

/** The same sandbox that checks get later: the repository and the user's home are out of reach. */
export async function openWalls(
  start: Pick<Start, 'context' | 'repository' | 'world'>,
  { sandbox }: Config,
): Promise<Walls> {
  const { context, repository } = start
  const host = { environment: context.env, home: context.env.HOME ?? homedir() }
  const network: Network = { kind: sandbox.network === 'host' ? 'host' : 'none' }
  const report = await probeOnce(host, { level: sandbox.level, network, agent: simTrial(BUILT) })
  const readOnly = [...(await objectsOf(start)), ...sandbox.readOnly]
  return {
    report,
    runnerFor({ path, temporary }) {
      if (!report.sandboxed) return undefined
      return createRunInSandbox({
        level: report.level,
        host,
        confinementFor: () => ({
          workspace: path,
          home: join(temporary, 'home'),
          temporary: join(temporary, 'temporary'),
          masked: [repository.root],
          readOnly,
          readWrite: sandbox.readWrite,
          network,
          limits: DEFAULT_LIMITS,
        }),
      })
    },
  }
}

/** The clone borrows the repository's objects; without them not even `git log` works in it. */
export async function objectsOf({
  repository,
  world,
}: Pick<Start, 'repository' | 'world'>): Promise<string[]> {
  if (repository.head === undefined) return []
  const there = { ...world, cwd: repository.root }
  const path = await askGit(there, 'rev-parse', '--path-format=absolute', '--git-path', 'objects')
  return path === undefined ? [] : [path.replace(/\n$/, '')]
}

/** Shown before any command runs, because a cloned repository may have brought it along. */
export function showWalls({ sandboxed, level }: SandboxReport): string {
  return sandboxed
    ? `Each command once, in a fresh checkout of the last commit, inside the sandbox (${level}):`
    : 'Each command once, in a fresh checkout of the last commit. This machine has no sandbox (axiom doctor tells why): they run as you, with your files in reach.'
}
