import { basename, join } from 'node:path'
import type { Feedback } from '../../personas/prompt-input.ts'
import { isRealDirectory } from '../../platform/files/read-regular-file.ts'
import { sweepStaleLocks } from '../../platform/git/sweep-stale-locks.ts'
import type { ProofPorts } from '../../verification/prove-completion.ts'
import { createWorkspace } from '../../workspaces/create-workspace.ts'
import { exportHead } from '../../workspaces/export-commits.ts'
import { openCheckout } from '../../workspaces/open-checkout.ts'
import { removeWorkspace } from '../../workspaces/remove-workspace.ts'
import { setUpCheckout } from '../../workspaces/set-up-checkout.ts'
import { type SlotVariables, slotVariables } from '../../workspaces/slot-variables.ts'
import { excludeFilesOf, listWorkspaces, type Workspace } from '../../workspaces/workspace.ts'
import type { RunWorld } from '../run-world.ts'

/** The checkout of a run, ready to work in. */
export interface RunWorkspace {
  readonly workspace: Workspace
  /** Its current commit: its base, or what earlier attempts committed. */
  readonly head: string
  /** Commits since the base, newest first, one line each. */
  readonly commits: readonly string[]
  readonly slot: SlotVariables
  /** What the agent has to know about the workspace itself. */
  readonly news?: readonly Feedback[]
}

export type OpenedWorkspace =
  | ({ readonly kind: 'ready' } & RunWorkspace)
  | { readonly kind: 'failed'; readonly command: string; readonly output: string }

const COMMITS_SHOWN_MAX = 20

/**
 * The workspace that an earlier attempt at the task left, with everything in it, or a new one. An agent that
 * takes over from a dead one works in the checkout under the dead one's name.
 */
export async function openRunWorkspace(
  world: RunWorld,
  request: { readonly agent: string; readonly task: string; readonly slot: number; readonly base?: string },
): Promise<OpenedWorkspace> {
  const { ground } = world
  const slot = slotVariables(request.slot, basename(world.root), world.config.workspace.variables)
  const kept = await findKept(world, request.task)
  // No process works there now, so even the youngest lock is stale: git would wait for its owner forever.
  if (kept) await sweepStaleLocks(join(kept.path, '.git'), Number.MAX_SAFE_INTEGER)
  if (kept) return { kind: 'ready', slot, workspace: kept, ...(await standing(world, kept)) }
  const workspace = await createWorkspace(ground, request)
  const ready = await setUp(world, slot, workspace.path, {
    excludeIn: excludeFilesOf(ground, workspace),
    fill: request.base === undefined,
  }).catch(async (error: unknown) => {
    await removeWorkspace(ground, workspace, 'its set-up was stopped')
    throw error
  })
  if (ready.kind === 'ready') return { kind: 'ready', slot, workspace, head: workspace.base, commits: [] }
  // A checkout that was never set up must not be mistaken for one that an attempt left.
  await removeWorkspace(ground, workspace, 'its set-up failed')
  return ready
}

async function findKept({ ground }: RunWorld, task: string): Promise<Workspace | undefined> {
  const newest = (await listWorkspaces(ground, task)).at(-1)
  return newest && (await isRealDirectory(newest.path)) ? newest : undefined
}

async function standing(
  { ground }: RunWorld,
  workspace: Workspace,
): Promise<Pick<RunWorkspace, 'head' | 'commits'>> {
  const exported = await exportHead(ground, workspace)
  if (exported.kind !== 'exported') return { head: workspace.base, commits: [] }
  const range = [`${workspace.base}..${exported.commit}`, '--']
  const words = ['log', `--max-count=${COMMITS_SHOWN_MAX}`, '--format=%h %s', ...range]
  const log = await ground.git.text(ground.integration, words)
  return { head: exported.commit, commits: log.split('\n').filter((line) => line !== '') }
}

/** The package cache is filled only from a new workspace, where only the target's own code has run. */
export async function setUp(
  { config, vocabulary, root, runLine }: RunWorld,
  slot: SlotVariables,
  checkout: string,
  options: { readonly excludeIn: readonly string[]; readonly fill: boolean },
): Promise<{ kind: 'ready' } | { kind: 'failed'; command: string; output: string }> {
  const { setup, copy, setupTimeout } = config.workspace
  const done = await setUpCheckout({
    checkout,
    commands: setup,
    copy: { from: root, files: copy, excludeIn: options.excludeIn },
    slot,
    timeoutMs: setupTimeout * 1_000,
    cache: {
      folder: join(root, vocabulary.folder, 'caches/dependencies'),
      machine: `${process.platform}-${process.arch}-${process.version}`,
      fill: options.fill,
    },
    run: runLine,
  })
  if (done.kind === 'ready') return { kind: 'ready' }
  return { kind: 'failed', command: done.command, output: `${done.result.stdout}${done.result.stderr}` }
}

/** What the proofs of this run need; each has a fresh checkout, set up like the workspace. */
export function proofPorts(world: RunWorld, slot: SlotVariables): ProofPorts {
  const { ground, runLine, clock } = world
  return {
    git: ground.git,
    integration: ground.integration,
    hasSetUp: world.config.workspace.setup.length + world.config.workspace.copy.length > 0,
    openCheckout: (commit) => openCheckout(ground, commit),
    setUp: (checkout) => setUp(world, slot, checkout, { excludeIn: [], fill: false }),
    run: runLine,
    now: () => clock.now(),
  }
}
