import type { Status } from '../cases/case.ts'
import { DELIVERY_STATES, type DeliveryStateName, type Wait } from './delivery-state.ts'

/** Properties of a task while it is in one state. `WORK` defines which role works on it. */
export interface DeliveryTraits {
  /** The status of the task; null: it has that of the state it returns to. */
  readonly status: Status | null
  /** The kind of a wait with a deadline. Such a wait may interrupt a repair without ending it. */
  readonly waitsFor: Exclude<Wait['kind'], 'checkpoint'> | null
  /** The agent that asked keeps its claim during the wait. */
  readonly keepsClaim: boolean
  /** The task has a change that is not on the target yet: work that starts beside it does not see it. */
  readonly hasOpenChange: boolean
  /**
   * Others wait for the files that the task changes. Not while it waits for a file itself: two tasks that wait for
   * each other would wait until their time is up.
   */
  readonly holdsFiles: boolean
  /** The task goes on to the target without a person's help. */
  readonly landsUnaided: boolean
  /** A commit waits to be landed: the task's own, or that of the repair it asked for. */
  readonly awaitsLanding: boolean
  /** Part of the repair that the whole project waits for. */
  readonly isRepair: boolean
  /** The commit that is judged or landed is that of the repair, not the task's own. */
  readonly judgesRepair: boolean
  /** A person was asked, and the question is open for as long as the task stays. */
  readonly hasQuestion: boolean
  /** The task failed; several failures in a row pause the project. */
  readonly isFailure: boolean
}

const NONE: DeliveryTraits = {
  status: null,
  waitsFor: null,
  keepsClaim: false,
  hasOpenChange: false,
  holdsFiles: false,
  landsUnaided: false,
  awaitsLanding: false,
  isRepair: false,
  judgesRepair: false,
  hasQuestion: false,
  isFailure: false,
}
const ON_THE_WAY = { ...NONE, hasOpenChange: true, holdsFiles: true, landsUnaided: true }
const REPAIR = { ...NONE, isRepair: true }

export const TRAITS: Readonly<Record<DeliveryStateName, DeliveryTraits>> = {
  queued: { ...NONE, status: 'pending' },
  specifying: { ...NONE, status: 'pending' },
  developing: { ...ON_THE_WAY, status: 'active' },
  critique: { ...ON_THE_WAY, status: 'review' },
  audit: { ...ON_THE_WAY, status: 'review' },
  confirming: { ...ON_THE_WAY, status: 'review' },
  'person-review': { ...ON_THE_WAY, status: 'review', landsUnaided: false },
  integrating: { ...ON_THE_WAY, status: 'review', awaitsLanding: true },
  landed: { ...NONE, status: 'done' },
  failed: { ...NONE, status: 'failed', hasQuestion: true, isFailure: true },
  'timed-out': { ...NONE, status: 'timeout', isFailure: true },
  consulting: { ...ON_THE_WAY, waitsFor: 'expert', keepsClaim: true },
  asking: { ...NONE, waitsFor: 'question', hasQuestion: true },
  'file-waiting': { ...ON_THE_WAY, waitsFor: 'file', keepsClaim: true, holdsFiles: false },
  remediating: REPAIR,
  'health-check': { ...REPAIR, judgesRepair: true },
  'repair-landing': { ...REPAIR, judgesRepair: true, awaitsLanding: true },
  'awaiting-repair': NONE,
  'repair-escalated': { ...REPAIR, hasQuestion: true },
  halted: { ...REPAIR, hasQuestion: true },
}

type YesOrNo = {
  [K in keyof DeliveryTraits]: DeliveryTraits[K] extends boolean ? K : never
}[keyof DeliveryTraits]

export function statesWith(trait: YesOrNo): readonly DeliveryStateName[] {
  return DELIVERY_STATES.filter((state) => TRAITS[state][trait])
}

/**
 * The status of the task, derived from its delivery state so that the two cannot disagree. A wait has the
 * status of the state it returns to; a task that could otherwise be claimed is blocked meanwhile.
 */
export function statusOf(state: DeliveryStateName, resume: readonly DeliveryStateName[]): Status {
  const { status: own, keepsClaim } = TRAITS[state]
  if (own !== null) return own
  const status = statusOf(resume.at(-1) ?? 'queued', resume.slice(0, -1))
  return status === 'pending' && !keepsClaim ? 'blocked' : status
}
