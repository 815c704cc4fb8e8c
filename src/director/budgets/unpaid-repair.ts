import type { CaseId } from '../../cases/case.ts'
import type { DeliveryStateName } from '../../delivery/delivery-state.ts'
import { describeUse, type Use } from '../../health/budgets/budget-standing.ts'
import { type ProjectQuestion, projectQuestionOf } from '../../project/questions/project-question.ts'
import type { Snapshot } from '../snapshot.ts'
import { standingOf } from './choose-parks.ts'

/** Places at which a repair needs an agent to go on. */
const NEEDS_AGENT: readonly DeliveryStateName[] = [
  'queued',
  'specifying',
  'developing',
  'critique',
  'audit',
  'consulting',
  'remediating',
  'health-check',
]

/** The budget that keeps the repair from going on that the whole project waits for. */
export function unpaidUse(snapshot: Snapshot): { readonly leader: CaseId; readonly use: Use } | undefined {
  const { project, view, atWork } = snapshot
  const leader = project.repairLedBy ?? project.repairTask
  const row = leader === null ? undefined : view.row(leader)
  if (leader === null || !row || row.task.status === 'done' || atWork.has(leader)) return undefined
  if (!NEEDS_AGENT.includes(row.delivery.state)) return undefined
  const standing = standingOf(snapshot, leader)
  // What has not begun does not begin on the rest of a budget either.
  const isHeld = standing.kind === 'hard' || (standing.kind === 'soft' && row.delivery.state === 'queued')
  return isHeld ? { leader, use: standing.use } : undefined
}

/** What a person is told of it; the same budget at the same limit is one trouble. */
export function unpaidRepair(snapshot: Snapshot): ProjectQuestion | undefined {
  const unpaid = unpaidUse(snapshot)
  if (!unpaid) return undefined
  const { leader, use } = unpaid
  return {
    kind: 'repair-unpaid',
    name: [leader, use.id, use.measure, use.limit].join('/'),
    context: `${leader} makes the repair, and ${describeUse(use)}. Until it is done no new work is begun. Raise the budget of ${use.id}, or answer "lift".`,
  }
}

/** Whether a person has yet to be told, or was told of what is no longer so. */
export function isRepairWordDue(snapshot: Snapshot): boolean {
  const asked = snapshot.view
    .projectQuestions()
    .filter((subject) => projectQuestionOf(subject)?.kind === 'repair-unpaid')
  const wanted = unpaidRepair(snapshot)
  if (wanted) return !asked.some((subject) => projectQuestionOf(subject)?.name === wanted.name)
  return asked.some(({ status }) => status !== 'done')
}
