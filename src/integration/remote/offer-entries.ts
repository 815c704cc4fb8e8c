import { safeBranch } from '../../platform/git/names.ts'
import { buildCandidate, type Candidate } from '../build-candidate.ts'
import type { Entry } from '../entry.ts'
import { hasTurn } from '../integrator-turn.ts'
import { judgeOutcome, type Landing, type LandingReport } from '../land-candidates.ts'
import { type CheckCount, type LandingGround, readTarget, verifyTwice } from '../landing-ground.ts'
import { findMerged } from './find-merged.ts'
import { fetchHeads, listHeads, pushBranch, type Remote } from './remote.ts'

/** The state of an entry on the remote. */
interface Standing {
  readonly branch: string
  readonly target: string
  /** What the branch has now. */
  readonly head: string | undefined
  /** AXIOM's commit that the branch starts with, if the branch has exactly this work. */
  readonly ours: string | undefined
}

/**
 * Offers entries as branches of a remote, each checked by itself on the current target. The existing branches
 * are read first, so it can be stopped anywhere and called again with the same entries.
 */
export async function offerEntries(
  ground: LandingGround,
  remote: Remote,
  entries: readonly Entry[],
): Promise<LandingReport> {
  const round = { landings: new Map<string, Landing>(), flaky: [], runs: 0 }
  for (const entry of entries) round.landings.set(entry.task, await offer(ground, remote, entry, round))
  return round
}

/** A branch is named for its agent, and keeps the name when another agent continues the task. */
export function branchOf({ pushed, agent, task }: Entry): string {
  return safeBranch(pushed?.branch ?? `agent/${agent}/${task}`)
}

async function offer(
  ground: LandingGround,
  remote: Remote,
  entry: Entry,
  count: CheckCount,
): Promise<Landing> {
  if (!(await ground.holdsFence(entry))) return { kind: 'refused', reason: 'fence-lost', paths: [] }
  const standing = await look(ground, remote, entry)
  if ('kind' in standing) return { kind: 'deferred', reason: 'unreachable', said: standing.said }
  const { ours, head, target, branch } = standing
  const commit = ours ?? entry.pushed?.commit ?? entry.source
  const merged = await findMerged(ground, target, { entry, commit, head: ours && head ? head : commit })
  if (merged !== undefined) return { kind: 'landed', commit: merged, alreadyThere: true }
  // The existing branch is what would be merged, so it has to merge with the current target.
  const built = await buildCandidate(ground, target, { ...entry, source: head && ours ? head : entry.source })
  if (built.kind !== 'clean') return judgeOutcome(ground, built, target)
  const verdict = await verifyTwice(ground, built.commit, count, [entry])
  if (verdict.kind === 'red') return rejected(built, target, verdict)
  const { evidence } = verdict
  if (ours !== undefined) return { kind: 'pushed', branch, commit: ours, target, evidence }
  return push(ground, remote, entry, standing, built.commit, evidence)
}

function rejected(
  { commit, settled }: Extract<Candidate, { kind: 'clean' }>,
  target: string,
  { evidence, feedback = '' }: { readonly evidence: string; readonly feedback?: string },
): Landing {
  if (settled) return { kind: 'conflict', target, conflict: settled.conflict, level: 'MEDIUM' }
  return { kind: 'rejected', target, commit, evidence, feedback }
}

async function look(
  ground: LandingGround,
  remote: Remote,
  entry: Entry,
): Promise<Standing | { readonly kind: 'unreachable'; readonly said: string }> {
  const { git, repository } = ground
  const branch = branchOf(entry)
  const listed = await listHeads(git, repository, remote, [branch])
  if (listed.kind === 'unreachable') return listed
  const fetched = await ground.writing.pass(() => fetchHeads(git, repository, remote, listed.heads))
  if (fetched.kind === 'unreachable') return fetched
  const head = listed.heads.get(branch)
  const ours = head === undefined ? undefined : await findOurs(ground, head, entry)
  return { branch, head, ours, target: await readTarget(ground) }
}

const TRAILERS = ['Task', 'Source'].map((key) => `%(trailers:key=${key},valueonly,unfold,separator=%x1e)`)
const COMMITS_LOOKED_AT_MAX = 200

/**
 * The commit of a branch with exactly this work: pushed before, perhaps by a process that died before
 * recording it.
 */
async function findOurs(
  { git, repository }: LandingGround,
  head: string,
  { task, source }: Entry,
): Promise<string | undefined> {
  const words = ['log', `--max-count=${COMMITS_LOOKED_AT_MAX}`, `--format=%H%x1f${TRAILERS.join('%x1f')}`]
  const lines = (await git.text(repository, [...words, head, '--'])).split('\n')
  return lines.find((line) => line.endsWith(`\x1f${task}\x1f${source}`))?.split('\x1f')[0]
}

/** Only AXIOM's own earlier push is replaced: commits by people on the branch are never overwritten. */
async function push(
  ground: LandingGround,
  remote: Remote,
  entry: Entry,
  { branch, target, head }: Standing,
  commit: string,
  evidence: string,
): Promise<Landing> {
  const { git, repository } = ground
  if (head !== undefined && !(await isOwn(ground, head, entry)))
    return { kind: 'stuck', reason: 'branch-taken', branch, said: `${head} is not ours` }
  // Last, as for every landing: a claim that was lost during the checks must not be offered.
  if (!(await ground.holdsFence(entry))) return { kind: 'refused', reason: 'fence-lost', paths: [] }
  if (ground.turn && !(await hasTurn(git, repository, ground.turn)))
    return { kind: 'deferred', reason: 'turn-lost' }
  const seen = head === undefined ? {} : { seen: head }
  const pushed = await pushBranch(git, repository, remote, { branch, commit, ...seen })
  switch (pushed.kind) {
    case 'pushed':
      return { kind: 'pushed', branch, commit, target, evidence }
    case 'moved-meanwhile':
      return { kind: 'deferred', reason: 'target-moved' }
    case 'unreachable':
      return { kind: 'deferred', reason: 'unreachable', said: pushed.said }
    case 'declined':
      return { kind: 'stuck', reason: 'push-declined', branch, said: pushed.said }
  }
}

/** Whether the branch ends with a commit that AXIOM made for this task. */
async function isOwn({ git, repository }: LandingGround, head: string, { task, pushed }: Entry) {
  if (head === pushed?.commit) return true
  const words = ['log', '--max-count=1', `--format=%cE%x1f${TRAILERS[0]}`, head, '--']
  const [email = '', named = ''] = (await git.text(repository, words)).split('\x1f')
  return named === task && email.endsWith('@axiom.invalid')
}
