import {
  type CaseState,
  type Checkpoint,
  checkpointName,
  listCheckpoints,
  removeCheckpoint,
  writeCheckpoint,
} from '../../integration/checkpoints/checkpoint.ts'
import { chooseExpired } from '../../integration/checkpoints/choose-expired.ts'
import { Failure } from '../../platform/failure.ts'
import type { Store } from '../../store/store.ts'
import { targetOfRecord } from '../../workspaces/integration-repository.ts'
import type { RunWorld, SeenWorld } from '../run-world.ts'

export interface CheckpointWish {
  /** A name chosen by a person; without one it is named after the time, and may be removed later. */
  readonly name?: string
  readonly reason: string
}

/** Names made within the same second get a number. */
const NAMES_TRIED_MAX = 100

/** Records the target and the states of all cases, then removes checkpoints that are too old or too many. */
export async function makeCheckpoint(
  world: SeenWorld & Pick<RunWorld, 'clock'>,
  { name, reason }: CheckpointWish,
): Promise<Checkpoint> {
  const { git, integration } = world.ground
  const nowMs = world.clock.now()
  const cases = await statesOf(world.store)
  const at = new Date(nowMs).toISOString()
  const made = await integration.writing.pass(async () => {
    const commit = await targetOfRecord(git, integration)
    for (let tried = 0; tried < NAMES_TRIED_MAX; tried += 1) {
      const wanted = name === undefined ? `auto-${stamp(at)}${tried === 0 ? '' : `-${tried}`}` : name
      const checkpoint = { name: checkpointName(wanted), commit, at, isNamed: name !== undefined, reason }
      if ((await writeCheckpoint(git, integration, checkpoint, cases)) === 'written') return checkpoint
      if (name !== undefined) break
    }
    throw new Failure('USAGE', `there is a checkpoint ${name} already`, {
      hint: 'give it another name, or leave the name out',
    })
  })
  for (const expired of chooseExpired(
    await listCheckpoints(git, integration),
    world.config.checkpoints,
    nowMs,
  )) {
    await integration.writing.pass(() => removeCheckpoint(git, integration, expired.name))
  }
  return made
}

function stamp(at: string): string {
  return at.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
}

async function statesOf(store: Store): Promise<CaseState[]> {
  return (await store.query({})).map(({ id, type, status }) => ({ id, type, status }))
}
