import { Failure } from '../platform/failure.ts'
import { type PersonEventContext, personEventContext } from '../project/delivery/event-context.ts'
import { isRefused, type Refused } from '../project/interventions/outcome.ts'
import type { Store } from '../store/store.ts'
import { type Context, print } from './context.ts'
import { loadConfig } from './load-config.ts'
import { type Project, withStore } from './project.ts'
import { plainLine } from './render/plain-text.ts'

/** The author of interventions from the command line. */
export const PERSON = 'user'

/** When an order takes effect, in whichever process the project runs. */
export const WHEN = 'at once while the project runs, else when it runs next'

/** Carries out one intervention and prints the outcome; a refusal is an error like any other. */
export function intervene<Outcome extends object>(
  context: Context,
  name: string,
  act: (store: Store, project: Project) => Promise<Outcome | Refused>,
  describe: (outcome: Outcome) => string,
): Promise<void> {
  return withStore(context, name, async (store, project) => {
    const outcome = await act(store, project)
    if (isRefused(outcome)) throw new Failure(outcome.code, outcome.message, { hint: outcome.hint })
    print(context, outcome, () => plainLine(describe(outcome)))
  })
}

/** The context that a person's decision is checked against. */
export async function wordWorldOf({ folder }: Project): Promise<PersonEventContext> {
  const { config } = await loadConfig(folder)
  return personEventContext(folder, config)
}
