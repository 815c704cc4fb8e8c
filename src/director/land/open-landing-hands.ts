import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { findLanded } from '../../integration/find-landed.ts'
import { type IntegratorTurn, takeTurn } from '../../integration/integrator-turn.ts'
import { landBatch } from '../../integration/land-candidates.ts'
import type { LandingGround, Verdict } from '../../integration/landing-ground.ts'
import { publishTarget } from '../../integration/publish-target.ts'
import { adoptRemoteTarget, followRemote } from '../../integration/remote/follow-remote.ts'
import { offerEntries } from '../../integration/remote/offer-entries.ts'
import { pushBranch } from '../../integration/remote/remote.ts'
import { adoptCommits, takeInCommits } from '../../integration/take-in-commits.ts'
import { WeatherStation } from '../../integration/weather.ts'
import type { TargetProbe } from '../../project/repair-task.ts'
import { fetchTarget, targetOfRecord } from '../../workspaces/integration-repository.ts'
import { gitDirectories } from '../../workspaces/repository-fingerprint.ts'
import type { Hands, TakeInOrder, TakeInResult } from '../hands.ts'
import type { RunWorld } from '../run-world.ts'
import { landingGround } from './landing-ground.ts'
import { liveWorks } from './live-works.ts'
import { writeQueueBoard } from './queue-board.ts'
import { openRemote } from './remote/open-remote.ts'
import { verifyCandidate } from './verify-candidate.ts'

export type LandingHands = Pick<
  Hands,
  | 'land'
  | 'follow'
  | 'followRewritten'
  | 'adoptUser'
  | 'restore'
  | 'takeIn'
  | 'publish'
  | 'findLanded'
  | 'probeTarget'
  | 'lookAtWeather'
  | 'showQueue'
>

export interface LandingOptions {
  /** The id of the director that lands: its turn ends when another director opens its landing hands. */
  readonly holder: string
  /** Made by `userGitEnvironment`. */
  readonly userEnvironment: Readonly<Record<string, string>>
  /** The user's own environment, to reach a remote with the user's credentials. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/** Takes the turn to land on this project's target; the previous holder can no longer land anything. */
export async function openLandingHands(world: RunWorld, options: LandingOptions): Promise<LandingHands> {
  const { git, integration } = world.ground
  const { commonDir } = await gitDirectories(world.root)
  const turn: IntegratorTurn = await integration.writing.pass(() =>
    takeTurn(git, integration, {
      holder: options.holder,
      startedAtMs: world.clock.now(),
      nonce: randomUUID(),
    }),
  )
  const ground = await landingGround(world, turn)
  const station = new WeatherStation(ground)
  const { restoreRemote, ...mode } = await openMode(world, ground, commonDir, options)
  const { userEnvironment } = options
  const { target } = integration
  const publishing = { git, integration, user: { gitDir: commonDir }, target, userEnvironment }
  return {
    ...mode,
    publish: () => publishTarget(publishing),
    async restore() {
      await publishTarget({ ...publishing, restores: true })
      await restoreRemote?.()
    },
    adoptUser: (user) => adoptCommits(ground, user),
    async findLanded(entries) {
      return findLanded(git, integration, await targetOfRecord(git, integration), entries)
    },
    probeTarget: () => probeTarget(world),
    lookAtWeather: async () => station.look(await liveWorks(world)),
    showQueue: (board) => writeQueueBoard(join(world.root, world.vocabulary.folder), board),
  }
}

/** Where the work lands: here, or by others on a remote. */
async function openMode(
  world: RunWorld,
  ground: LandingGround,
  userGitDir: string,
  { environment = {} }: LandingOptions,
): Promise<
  Pick<Hands, 'land' | 'takeIn' | 'follow' | 'followRewritten'> & { restoreRemote?(): Promise<void> }
> {
  if (world.config.integration.mode === 'direct') {
    return {
      land: ({ entries }) => landBatch(ground, entries),
      takeIn: (order) => takeIn(world, ground, userGitDir, order),
    }
  }
  const { git } = world.ground
  const { root } = world
  const remote = await openRemote(git, {
    root,
    userGitDir,
    environment,
    name: world.config.integration.remote,
  })
  return {
    land: ({ entries }) => offerEntries(ground, remote, entries),
    follow: (offered) => followRemote(ground, remote, offered),
    followRewritten: (commit) =>
      adoptRemoteTarget(ground, commit, `refs/axiom/rescue/target/${ground.now()}`),
    async restoreRemote() {
      const commit = await targetOfRecord(git, world.ground.integration)
      await pushBranch(git, world.ground.integration, remote, { branch: ground.target, commit })
    },
    // Commits that the user has not pushed are not on the remote's target.
    takeIn: async () => ({ intake: { kind: 'nothing-new' }, user: null }),
  }
}

async function takeIn(
  { ground: { git, integration } }: RunWorld,
  ground: LandingGround,
  userGitDir: string,
  { seenBefore }: TakeInOrder,
): Promise<TakeInResult> {
  const seen = await fetchTarget(git, integration, userGitDir)
  if (seen.kind === 'unborn') return { intake: { kind: 'nothing-new' }, user: null }
  const intake = await takeInCommits(ground, seen.user, seenBefore ?? undefined)
  return { intake, user: seen.user }
}

/** A red target is checked twice: it would stop all work. */
async function probeTarget(world: RunWorld): Promise<TargetProbe> {
  if (world.config.verification.every(({ required }) => !required)) return { kind: 'no-checks' }
  const commit = await targetOfRecord(world.ground.git, world.ground.integration)
  let verdict: Verdict = await verifyCandidate(world, commit, [])
  if (verdict.kind === 'red') verdict = await verifyCandidate(world, commit, [])
  if (verdict.kind === 'green') return { kind: 'green' }
  return { kind: 'red', commit, text: verdict.feedback ?? '' }
}
