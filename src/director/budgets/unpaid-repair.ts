import type { CaseId } from '../../cases/case.ts'
import { WORK } from '../../delivery/delivery-table.ts'
import { describeUse, type Use } from '../../health/budgets/budget-standing.ts'
import { type ProjectQuestion, projectQuestionOf } from '../../project/questions/project-question.ts'
import type { Snapshot } from '../snapshot.ts'
import { standingOf } from './choose-parks.ts'

/** The spent budget that blocks the repair that the whole project waits for. */
export function unpaidUse(snapshot: Snapshot): { readonly leader: CaseId; readonly use: Use } | undefined {
  const { project, view, atWork } = snapshot
  const leader = project.repairLedBy ?? project.repairTask
  const row = leader === null ? undefined : view.row(leader)
  if (leader === null || !row || row.task.status === 'done' || atWork.has(leader)) return undefined
  const { state } = row.delivery
  const needsAgent = state === 'queued' || WORK[state] !== undefined
  if (!needsAgent) return undefined
  const standing = standingOf(snapshot, leader)
  // Work that has not begun does not begin on the rest of a budget either.
  const isHeld = standing.kind === 'hard' || (standing.kind === 'soft' && state === 'queued')
  return isHeld ? { leader, use: standing.use } : undefined
}

/** The question that a person sees; the same budget at the same limit is one question. */
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

/** Whether the question has yet to be raised, or is open although its reason is gone. */
export function isRepairWordDue(snapshot: Snapshot): boolean {
  const asked = snapshot.view
    .projectQuestions()
    .filter((subject) => projectQuestionOf(subject)?.kind === 'repair-unpaid')
  const wanted = unpaidRepair(snapshot)
  if (wanted) return !asked.some((subject) => projectQuestionOf(subject)?.name === wanted.name)
  return asked.some(({ status }) => status !== 'done')
}
