import type { CaseId } from '../../cases/case.ts'
import { describeUse } from '../../health/budgets/budget-standing.ts'
import { parkCommands } from '../../health/budgets/park-case.ts'
import { standingOf } from '../choose-parks.ts'
import { runHook } from '../means.ts'
import type { Desk } from './carry-out.ts'
import { LEASE_MS } from './claim-task.ts'

/** Parks a case whose budget is spent, with its figures; warns of one that nearly is; takes up one that was raised. */
export async function carryOutPark(desk: Desk, id: CaseId): Promise<void> {
  const { means } = desk
  const [subject] = await means.store.query({ ids: [id] })
  if (!subject) return
  const scene = desk.scene()
  const now = await means.store.now()
  const commands = parkCommands(subject, scene.view.spend, scene.rules.budgets, now)
  if (commands.length === 0) return
  const answer = await means.store.transact({ commands, by: 'director', expect: { [id]: subject.rev } })
  if (answer.kind === 'refused') desk.rest(`park/${id}`, LEASE_MS)
  if (answer.kind !== 'committed') return
  const standing = standingOf(scene, id)
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
