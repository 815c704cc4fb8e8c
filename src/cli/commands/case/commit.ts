import type { CaseCommand } from '../../../cases/command.ts'
import { Failure } from '../../../platform/failure.ts'
import type { Committed, Store } from '../../../store/store.ts'
import type { Context } from '../../context.ts'
import { refused, withStore } from '../../project.ts'
import { printCase } from './queries.ts'

export async function commit(
  store: Store,
  commands: readonly CaseCommand[],
  by = 'user',
): Promise<Committed> {
  const outcome = await store.transact({ commands, by })
  if (outcome.kind === 'refused') throw refused(outcome)
  if (outcome.kind === 'stale')
    throw new Failure('STORE_BUSY', 'someone else was quicker', { hint: 'try again' })
  return outcome
}

/** Changes one case, and prints it as it is then. */
export function change(
  context: Context,
  name: string,
  id: string,
  ...commands: readonly CaseCommand[]
): Promise<void> {
  return withStore(context, `case ${name}`, async (store) => {
    await commit(store, commands)
    await printCase(context, store, id)
  })
}
