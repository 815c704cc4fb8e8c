import type { CaseId } from '../../cases/case.ts'
import { describeUse } from '../../health/budgets/budget-standing.ts'
import { parkCommands } from '../../health/budgets/park-case.ts'
import type { Desk } from '../context.ts'
import { runHook } from '../context.ts'
import { LEASE_MS } from '../develop/claim-task.ts'
import { standingOf } from './choose-parks.ts'

/**
 * Parks a case whose budget is spent, with its figures; warns when it is nearly spent; resumes one that was
 * raised.
 */
export async function carryOutPark(desk: Desk, id: CaseId): Promise<void> {
  const { means } = desk
  const [subject] = await means.store.query({ ids: [id] })
  if (!subject) return
  const snapshot = desk.snapshot()
  const now = await means.store.now()
  const commands = parkCommands(subject, snapshot.view.spend, snapshot.rules.budgets, now)
  if (commands.length === 0) return
  const answer = await means.store.transact({ commands, by: 'director', expect: { [id]: subject.rev } })
  if (answer.kind === 'refused') desk.rest(`park/${id}`, LEASE_MS)
  if (answer.kind !== 'committed') return
  const standing = standingOf(snapshot, id)
  if (standing.kind === 'within') return
  const isSpent = standing.kind === 'hard'
  const message = describeUse(standing.use)
  means.notify({
    code: isSpent ? 'BUDGET_SPENT' : 'BUDGET_PRESSED',
    severity: isSpent ? 'high' : 'medium',
    message: isSpent ? `${message}: ${id} is parked` : `${message}: nothing new is begun`,
  })
  if (isSpent)
    runHook(means, { event: 'on-escalation', variables: { CASE_ID: id, KIND: 'budget', REASON: message } })
}
