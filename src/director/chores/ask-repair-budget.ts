import { isRepairWordDue, unpaidRepair } from '../budgets/unpaid-repair.ts'
import { dropQuestions, raiseQuestion } from '../questions/raise-question.ts'
import type { Chore } from './chore.ts'

/** Asks a person while the repair that everything waits for has no budget left. */
export const askRepairBudget: Chore = {
  name: 'ask-repair-budget',
  isDue: (snapshot) => snapshot.leaving === 'no' && isRepairWordDue(snapshot),
  run(desk) {
    const unpaid = unpaidRepair(desk.snapshot())
    return unpaid ? raiseQuestion(desk, unpaid) : dropQuestions(desk, 'repair-unpaid')
  },
}
