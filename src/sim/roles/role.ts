import type { Criterion } from '../prompt-reading.ts'
import type { conflicts } from '../repository.ts'
import type { Situation } from '../situation.ts'
import type { Step, StepOf } from '../step.ts'

/** How a role is played when the playbook does not say otherwise: it looks, and returns what it will do. */
export type Role = (view: View, wish: StepOf<'play'>) => Step[]

/** What a role can see. The repository is read only by the roles that look. */
export interface View {
  readonly situation: Situation
  readonly criteria: readonly Criterion[]
  changedFiles(): readonly string[]
  conflicts(): ReturnType<typeof conflicts>
}
