import { createHash } from 'node:crypto'
import type { Check } from '../config/work-options.ts'
import type { Git, Repository } from '../platform/git/git.ts'
import {
  changedPaths,
  isAncestor,
  readBlob,
  resolveCommit,
  treeOf,
} from '../platform/git/repository-operations.ts'
import type { RunInSandbox } from '../platform/process/run-line.ts'
import { type CheckEdit, flagCheckEdits, isManifest, type Manifests } from './flag-check-edits.ts'
import { type CheckResult, runChecks, type Verification } from './run-checks.ts'

/** Why a claim to be complete is refused before any proof. */
export type ClaimFault =
  | { readonly kind: 'no-commit' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'dirty-tree'; readonly files: readonly string[] }
  | { readonly kind: 'nested-repository'; readonly folders: readonly string[] }
  | { readonly kind: 'unrelated-history'; readonly base: string }

/** The state of a workspace when its agent reported completion. */
export interface Claim {
  readonly base: string
  readonly head:
    | { readonly kind: 'nothing-new' | 'exported'; readonly commit: string }
    | { readonly kind: 'refused'; readonly reason: string }
  readonly uncommitted: readonly { readonly path: string }[]
  readonly nested: readonly string[]
}

/** A claim holds when there is a commit, and nothing beside it. */
export function judgeClaim(claim: Claim): ClaimFault[] {
  const faults: ClaimFault[] = []
  if (claim.head.kind === 'nothing-new') faults.push({ kind: 'no-commit' })
  if (claim.head.kind === 'refused') faults.push({ kind: 'unreadable', reason: claim.head.reason })
  if (claim.uncommitted.length > 0) {
    faults.push({ kind: 'dirty-tree', files: claim.uncommitted.map(({ path }) => path) })
  }
  if (claim.nested.length > 0) faults.push({ kind: 'nested-repository', folders: claim.nested })
  return faults
}

/** The fault as the agent reads it. */
export function explainFault(fault: ClaimFault): string {
  switch (fault.kind) {
    case 'no-commit':
      return 'There is no commit since the work began. Commit your work, then say again that you are done.'
    case 'unreadable':
      return `Your commit cannot be read: ${fault.reason}. Put the repository in order and commit again.`
    case 'dirty-tree':
      return `These files are not committed: ${fault.files.slice(0, 50).join(', ')}. Commit or remove them.`
    case 'nested-repository':
      return `These folders are git repositories of their own and would be missing from the commit: ${fault.folders.join(', ')}. Remove their .git folders and commit the files.`
    case 'unrelated-history':
      return `Your commit does not come after ${fault.base}, from which the work began. Base it on that commit again.`
  }
}

/**
 * A proof, bound to the exact commit and environment. Stored under its digest, so that an edited one is not
 * found.
 */
export interface Proof {
  readonly task: string
  readonly agent: string
  readonly base: string
  readonly commit: string
  readonly tree: string
  readonly commands: readonly {
    readonly name: string
    readonly command: string
    readonly environment: string | undefined
  }[]
  readonly environment: Readonly<Record<string, string>>
  readonly counts: {
    readonly passed: number
    readonly failed: number
    readonly skipped: number
    readonly unknown: number
  }
  readonly flaky: readonly string[]
  /** Changes of the checks themselves, for a person to look at. */
  readonly flagged: readonly CheckEdit[]
  readonly outputDigest: string
  readonly provenAtMs: number
}

export type ProofOutcome =
  | { readonly kind: 'refused'; readonly faults: readonly ClaimFault[] }
  | { readonly kind: 'set-up-failed'; readonly command: string; readonly output: string }
  | { readonly kind: 'red'; readonly checks: readonly CheckResult[]; readonly flagged: readonly CheckEdit[] }
  /** `empty`: no check is configured, so all that is proven is that the commit exists. */
  | {
      readonly kind: 'proven'
      readonly proof: Proof
      readonly checks: readonly CheckResult[]
      readonly empty: boolean
    }

/** The operations that a proof needs; the checkout contains the commit and nothing else. */
export interface ProofPorts {
  readonly git: Git
  readonly integration: Repository
  /** Whether a checkout has to be set up; that alone can already fail. */
  readonly hasSetUp: boolean
  openCheckout(commit: string): Promise<AsyncDisposable & { readonly path: string }>
  setUp(checkout: string): Promise<{ kind: 'ready' } | { kind: 'failed'; command: string; output: string }>
  readonly run: RunInSandbox
  readonly now: () => number
}

export interface ProofRequest {
  readonly claim: Claim
  readonly task: string
  readonly agent: string
  readonly iteration: number
  readonly checks: readonly Check[]
  /** Variables for the checks; they become part of the proof. */
  readonly environment: Readonly<Record<string, string>>
  /** Further inputs of the result: versions, platform, level of the sandbox. */
  readonly machine: Readonly<Record<string, string>>
}

/**
 * Proves a claim on a fresh checkout of the named commit, so that files only in the workspace do not count.
 */
export async function proveCompletion(ports: ProofPorts, request: ProofRequest): Promise<ProofOutcome> {
  const { git, integration } = ports
  const { claim, checks } = request
  const faults = judgeClaim(claim)
  if (faults.length > 0 || claim.head.kind === 'refused') return { kind: 'refused', faults }
  const { commit } = claim.head
  if ((await resolveCommit(git, integration, commit)) === undefined) {
    return { kind: 'refused', faults: [{ kind: 'unreadable', reason: 'the commit was never exported' }] }
  }
  if (!(await isAncestor(git, integration, claim.base, commit))) {
    return { kind: 'refused', faults: [{ kind: 'unrelated-history', base: claim.base }] }
  }
  const flagged = await findCheckEdits(ports, claim.base, commit, checks)
  const verification = await verify(ports, request, commit)
  if (verification.kind === 'set-up-failed') return verification
  if (verification.kind === 'failed') return { kind: 'red', checks: verification.checks, flagged }
  const tree = await treeOf(git, integration, commit)
  const proof = bindProof(request, { commit, tree, flagged, verification, provenAtMs: ports.now() })
  return { kind: 'proven', proof, checks: resultsOf(verification), empty: verification.kind === 'empty' }
}

/** Without set-up or checks no checkout is made: it would prove no more than the commit itself. */
async function verify(
  ports: ProofPorts,
  request: ProofRequest,
  commit: string,
): Promise<Verification | Extract<ProofOutcome, { kind: 'set-up-failed' }>> {
  if (request.checks.length === 0 && !ports.hasSetUp) return { kind: 'empty', code: 'VERIFICATION_EMPTY' }
  await using checkout = await ports.openCheckout(commit)
  const ready = await ports.setUp(checkout.path)
  if (ready.kind === 'failed') return { ...ready, kind: 'set-up-failed' }
  // Awaited here, because the checkout is removed at the end of this block.
  return await runChecks({
    ...request,
    checkout: checkout.path,
    stopAtFirst: false,
    run: ports.run,
    now: ports.now,
  })
}

async function findCheckEdits(
  { git, integration }: ProofPorts,
  base: string,
  commit: string,
  checks: readonly Check[],
): Promise<CheckEdit[]> {
  const changes = await changedPaths(git, integration, base, commit)
  const manifests = new Map<string, Manifests>()
  for (const { path } of changes.filter((change) => isManifest(change.path))) {
    const read = async (at: string): Promise<string | undefined> =>
      (await readBlob(git, integration, at, path))?.toString('utf8')
    manifests.set(path, { before: await read(base), after: await read(commit) })
  }
  return flagCheckEdits(
    changes,
    checks.map(({ command }) => command),
    manifests,
  )
}

function resultsOf(verification: Verification): readonly CheckResult[] {
  return verification.kind === 'empty' ? [] : verification.checks
}

function bindProof(
  request: ProofRequest,
  found: Pick<Proof, 'commit' | 'tree' | 'flagged' | 'provenAtMs'> & { verification: Verification },
): Proof {
  const { verification, ...bound } = found
  const results = resultsOf(verification)
  const sum = (field: 'passed' | 'failed' | 'skipped'): number =>
    results.reduce((total, { tests }) => total + (tests?.[field] ?? 0), 0)
  return {
    task: request.task,
    agent: request.agent,
    base: request.claim.base,
    ...bound,
    commands: results.map(({ name, command, environment }) => ({ name, command, environment })),
    environment: { ...request.environment, ...request.machine },
    counts: {
      passed: sum('passed'),
      failed: sum('failed'),
      skipped: sum('skipped'),
      unknown: results.filter(({ tests }) => tests === undefined).length,
    },
    flaky: results.filter(({ flaky }) => flaky).map(({ name }) => name),
    outputDigest: digestOf(results),
  }
}

function digestOf(results: readonly CheckResult[]): string {
  const outputs = results.map(({ outputDigest }) => outputDigest)
  return createHash('sha256').update(JSON.stringify(outputs)).digest('hex')
}
