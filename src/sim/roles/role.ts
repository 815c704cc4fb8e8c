import type { Criterion } from '../prompt-reading.ts'
import type { conflicts } from '../repository.ts'
import type { Situation } from '../situation.ts'
import type { Step, StepOf } from '../step.ts'

/** The default behaviour of a role: it examines the situation, and returns its steps. */
export type Role = (view: View, wish: StepOf<'play'>) => Step[]

/** The input of a role. The repository is read only for the roles that need it. */
export interface View {
  readonly situation: Situation
  readonly criteria: readonly Criterion[]
  changedFiles(): readonly string[]
  conflicts(): ReturnType<typeof conflicts>
}
