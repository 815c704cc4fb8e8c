import type { PersonEventContext } from '../../project/delivery/event-context.ts'
import type { Store } from '../../store/store.ts'
import type { CommandAnswer } from '../contract.ts'
import { changeCases } from './change-cases.ts'
import type { SoundCommand } from './command-schema.ts'
import { decide } from './decide.ts'
import { steer } from './steer.ts'

/** Answers kept for repeated requests; a repeat of an older one is carried out again. */
const ANSWERS_MAX = 1_000

export interface CommandWorld {
  readonly store: Store
  readonly projectFolder: string
  wordWorld(): Promise<PersonEventContext>
}

/**
 * Carries out the user's commands, once per key, even when the same request is sent several times at once.
 */
export class CommandDesk {
  readonly #world: CommandWorld
  readonly #answers = new Map<string, Promise<CommandAnswer>>()

  constructor(world: CommandWorld) {
    this.#world = world
  }

  async carryOut(key: string, by: string, command: SoundCommand): Promise<CommandAnswer> {
    const known = this.#answers.get(key)
    if (known !== undefined) return known
    const answer = carryOut(this.#world, key, by, command)
    this.#answers.set(key, answer)
    if (this.#answers.size > ANSWERS_MAX) this.#answers.delete(this.#answers.keys().next().value ?? '')
    try {
      return await answer
    } catch (error) {
      // A failed command may be retried under the same key.
      this.#answers.delete(key)
      throw error
    }
  }
}

async function carryOut(
  { store, projectFolder, wordWorld }: CommandWorld,
  key: string,
  by: string,
  command: SoundCommand,
): Promise<CommandAnswer> {
  switch (command.kind) {
    case 'pause':
    case 'resume':
    case 'mode':
    case 'assign':
    case 'stop':
    case 'tell':
    case 'redirect':
      return steer(store, by, command)
    case 'answer':
    case 'review':
    case 'retry':
    case 'override':
    case 'halt':
    case 'comment':
      return decide({ store, projectFolder, by, world: await wordWorld() }, command)
    default:
      return changeCases(store, by, command, `command/${key}`)
  }
}
