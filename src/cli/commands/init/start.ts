import type { ProbeWorld } from '../../../planning/prerequisites/prerequisite.ts'
import type { Repository } from '../../../planning/prerequisites/probe-git.ts'
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts'
import type { Asker } from '../../ask.ts'
import type { Context } from '../../context.ts'
import type { InitOptions } from './init-options.ts'

/** The context of every step of `axiom init`: the command's streams, the repository and the options. */
export interface Start {
  readonly context: Context
  readonly options: InitOptions
  readonly asker: Asker
  readonly world: ProbeWorld
  readonly repository: Repository
  readonly vocabulary: Vocabulary
}
