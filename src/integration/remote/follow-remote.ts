import { isAncestor, moveRefs, resolveCommit } from '../../platform/git/repository-operations.ts'
import type { Entry } from '../entry.ts'
import { TURN } from '../integrator-turn.ts'
import type { Landing } from '../land-candidates.ts'
import type { LandingGround } from '../landing-ground.ts'
import { findMerged } from './find-merged.ts'
import { branchOf } from './offer-entries.ts'
import { fetchHeads, listHeads, type Remote } from './remote.ts'

/** How the remote's target changed since the last look. */
export type RemoteTarget =
  | { readonly kind: 'same' | 'moved'; readonly commit: string }
  /** Its history was rewritten: only a person can decide which version is valid. */
  | { readonly kind: 'rewritten'; readonly commit: string; readonly record: string }
  | { readonly kind: 'missing'; readonly record: string | undefined }

export type Following =
  | { readonly kind: 'unreachable'; readonly said: string }
  | {
      readonly kind: 'seen'
      readonly target: RemoteTarget
      /** The outcomes of offered entries; those that still wait are not included. */
      readonly landings: ReadonlyMap<string, Landing>
    }

/**
 * Polls the remote: its target becomes the target of record, as far as that loses nothing, and each offered
 * entry is searched in it. A branch that is gone without having been merged was closed.
 */
export async function followRemote(
  ground: LandingGround,
  remote: Remote,
  offered: readonly Entry[],
): Promise<Following> {
  const { git, repository, target: name } = ground
  const branches = offered.map(branchOf)
  const listed = await listHeads(git, repository, remote, [name, ...branches])
  if (listed.kind === 'unreachable') return listed
  const fetched = await ground.writing.pass(() => fetchHeads(git, repository, remote, listed.heads))
  if (fetched.kind === 'unreachable') return fetched
  const target = await takeTarget(ground, listed.heads.get(name))
  const landings = new Map<string, Landing>()
  if (target.kind !== 'same' && target.kind !== 'moved') return { kind: 'seen', target, landings }
  for (const entry of offered) {
    const landing = await judge(ground, entry, target.commit, listed.heads.get(branchOf(entry)))
    if (landing) landings.set(entry.task, landing)
  }
  return { kind: 'seen', target, landings }
}

/** Accepts a rewritten target of the remote; the earlier target of record is kept under a ref. */
export async function adoptRemoteTarget(
  ground: LandingGround,
  commit: string,
  savedAs: string,
): Promise<void> {
  const { git, repository } = ground
  const ref = `refs/heads/${ground.target}`
  await ground.writing.pass(async () => {
    const from = await resolveCommit(git, repository, ref)
    const saved = await resolveCommit(git, repository, savedAs)
    const save =
      from === undefined || saved !== undefined ? [] : [{ ref: savedAs, to: from, from: undefined }]
    await moveRefs(git, repository, [...save, { ref, to: commit, from }, ...guardOf(ground)])
  })
}

async function takeTarget(ground: LandingGround, seen: string | undefined): Promise<RemoteTarget> {
  const { git, repository } = ground
  const ref = `refs/heads/${ground.target}`
  return ground.writing.pass(async (): Promise<RemoteTarget> => {
    const record = await resolveCommit(git, repository, ref)
    if (seen === undefined) return { kind: 'missing', record }
    if (record === seen) return { kind: 'same', commit: seen }
    if (record !== undefined && !(await isAncestor(git, repository, record, seen)))
      return { kind: 'rewritten', commit: seen, record }
    const moved = await moveRefs(git, repository, [{ ref, to: seen, from: record }, ...guardOf(ground)])
    if (moved === 'moved' || record === undefined) return { kind: 'moved', commit: seen }
    // Another integrator moved the target first or has taken over: its record is read next time.
    return { kind: 'same', commit: record }
  })
}

function guardOf({ turn }: LandingGround) {
  return turn ? [{ ref: TURN, to: turn.mark, from: turn.mark }] : []
}

async function judge(
  ground: LandingGround,
  entry: Entry,
  target: string,
  head: string | undefined,
): Promise<Landing | undefined> {
  const { pushed } = entry
  if (!pushed) return undefined
  const merged = await findMerged(ground, target, {
    entry,
    commit: pushed.commit,
    head: head ?? (await lastHead(ground, pushed.branch)) ?? pushed.commit,
  })
  if (merged !== undefined) return { kind: 'landed', commit: merged, alreadyThere: true }
  if (head !== undefined) return undefined
  const said = `${pushed.branch} is gone from the remote, and its change is not on ${ground.target}`
  return { kind: 'stuck', reason: 'closed', branch: pushed.branch, said }
}

/** The last seen head of a branch, with commits that people added before it was deleted. */
function lastHead({ git, repository }: LandingGround, branch: string): Promise<string | undefined> {
  return resolveCommit(git, repository, `refs/axiom/remote/${branch}`)
}
