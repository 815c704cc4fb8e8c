import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { resolveConfig } from '../../../config/resolve-config.ts'
import {
  detectSurroundings,
  type Surroundings,
  UNTRACKED_CANDIDATES,
} from '../../../planning/detection/detect-surroundings.ts'
import { detectUnits } from '../../../planning/detection/detect-units.ts'
import type { DetectedUnit } from '../../../planning/detection/detected.ts'
import { listFiles } from '../../../planning/detection/list-files.ts'
import { viewFolder } from '../../../planning/detection/project-view.ts'
import { askGit } from '../../../planning/prerequisites/ask-program.ts'
import type { Prerequisite, ProbeWorld } from '../../../planning/prerequisites/prerequisite.ts'
import { probeAgents } from '../../../planning/prerequisites/probe-agents.ts'
import {
  findRepository,
  probeGit,
  probeLargeFiles,
  probeRepository,
  type Repository,
} from '../../../planning/prerequisites/probe-git.ts'
import { probeDisk, probeWritable } from '../../../planning/prerequisites/probe-machine.ts'
import { makeCheckout } from '../../../planning/proving/checkout.ts'
import { type Proof, type ProofLimits, proveUnit } from '../../../planning/proving/prove-commands.ts'
import { Failure } from '../../../platform/failure.ts'
import type { SandboxReport } from '../../../platform/sandbox/sandbox-report.ts'
import type { Asker } from '../../ask.ts'
import type { Walls } from './open-walls.ts'

/** The repository that a project is made in. Without one nothing can begin, so this throws. */
export async function requireRepository(
  world: ProbeWorld,
  asker: Asker,
  mayInit: boolean,
): Promise<Repository> {
  refuse(await probeGit(world))
  const repository = await findRepository(world)
  if (repository) return repository
  const probe = await probeRepository(world)
  const canInit = probe.fix === 'git init'
  const wanted =
    canInit && (mayInit || (await asker.confirm(`${probe.found}. Make one here with "git init"?`, false)))
  if (wanted) await askGit(world, 'init', '--quiet', '--initial-branch=main')
  const made = wanted ? await findRepository(world) : undefined
  if (made) return made
  const fix = canInit ? 'git init, or: axiom init --git-init' : probe.fix
  throw new Failure('PREREQ_NO_GIT', probe.found, { hint: fix ?? '' })
}

/** Everything that a first start checks; a prerequisite that is missing is thrown with its code. */
export async function checkPrerequisites(world: ProbeWorld, repository: Repository): Promise<Prerequisite[]> {
  const there = { ...world, cwd: repository.root }
  const { disk, agents } = resolveConfig({ env: world.env }).config
  const [writable, space] = await Promise.all([probeWritable(repository.root), probeDisk(there, disk)])
  refuse(writable)
  refuse(space)
  const others = await Promise.all([
    probeRepository(there),
    probeLargeFiles(there),
    probeAgents(world, { agents, folder: repository.root }),
  ])
  return [space, ...others.flat()]
}

function refuse({ status, code, found, fix, name }: Prerequisite): void {
  if (status !== 'fail') return
  throw new Failure(code ?? 'PREREQ', `${name}: ${found}`, { hint: fix ?? '' })
}

export interface Examined {
  readonly units: readonly DetectedUnit[]
  readonly surroundings: Surroundings
  readonly proofs: readonly Proof[]
  /** The sandbox in which the commands were tried; absent where none was tried. */
  readonly sandbox?: SandboxReport
}

export interface Watcher {
  /** Called before anything is tried, with the sandbox if commands will be tried. */
  found(units: readonly DetectedUnit[], sandbox?: SandboxReport): void
  started(command: string, folder: string): void
  ended(proof: Proof): void
}

/** Detects the commands on the last commit and tries each in a temporary checkout of it. */
export async function examineProject(
  world: ProbeWorld,
  repository: Repository,
  limits: ProofLimits | undefined,
  watcher: Watcher,
  openWalls: () => Promise<Walls>,
): Promise<Examined> {
  const files = await listFiles(world, repository)
  const untracked = UNTRACKED_CANDIDATES.filter(
    (name) => existsSync(join(repository.root, name)) && !files.includes(name),
  )
  if (limits === undefined) {
    const view = viewFolder(repository.root, files)
    const units = detectUnits(view)
    watcher.found(units)
    return { units, surroundings: detectSurroundings(view, untracked), proofs: units.flatMap(untried) }
  }
  await using checkout = await makeCheckout(world, repository, files)
  const view = viewFolder(checkout.path, files)
  const units = detectUnits(view)
  const walls = units.length > 0 ? await openWalls() : undefined
  watcher.found(units, walls?.report)
  const surroundings = detectSurroundings(view, untracked)
  const runInSandbox = walls?.runnerFor(checkout)
  const trial = {
    world,
    root: repository.root,
    checkout,
    limits,
    ...(runInSandbox === undefined ? {} : { runInSandbox }),
    started: watcher.started,
    ended: watcher.ended,
  }
  const proofs: Proof[] = []
  for (const unit of units) proofs.push(...(await proveUnit(unit, trial)))
  return { units, surroundings, proofs, ...(walls === undefined ? {} : { sandbox: walls.report }) }
}

function untried(unit: DetectedUnit): Proof[] {
  return unit.commands.map(({ kind, command, because }) => ({
    folder: unit.folder,
    kind,
    command,
    because,
    outcome: { kind: 'not-run', reason: 'not tried (--no-prove)' },
    seconds: 0,
    tail: '',
  }))
}
