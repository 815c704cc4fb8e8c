export type SimFailureCode =
  | 'SIM_PLAYBOOK_MISSING'
  | 'SIM_PLAYBOOK_NOT_JSON'
  | 'SIM_PLAYBOOK_INVALID'
  | 'SIM_STEP_FAILED'

/** Why the simulated agent cannot continue; reported as the closing event, never as a stack trace. */
export class SimFailure extends Error {
  readonly code: SimFailureCode

  constructor(code: SimFailureCode, message: string) {
    super(`${code}: ${message}`)
    this.name = 'SimFailure'
    this.code = code
  }
}
