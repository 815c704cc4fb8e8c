import type { Action, Subject } from './action.ts'
import { AGENT_ACTIONS } from './agent-actions.ts'
import { CASE_ACTIONS } from './case-actions.ts'
import { DECISION_ACTIONS } from './decision-actions.ts'
import { PROJECT_ACTIONS } from './project-actions.ts'

/** All actions of the user, in display order. Comments on lines are made in the diff. */
export const ACTIONS: readonly Action[] = [
  ...PROJECT_ACTIONS,
  ...AGENT_ACTIONS,
  ...DECISION_ACTIONS,
  ...CASE_ACTIONS,
]

export function actionsFor(subject: Subject): readonly Action[] {
  return ACTIONS.filter((action) => action.fits(subject))
}

export function actionNamed(id: string): Action {
  const action = ACTIONS.find((one) => one.id === id)
  if (action === undefined) throw new Error(`there is no action ${id}`)
  return action
}
