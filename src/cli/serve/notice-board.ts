import type { Notice } from '../../director/means.ts'
import type { AlertRow } from '../../server/contract.ts'

/** Alerts that are shown at once; the oldest make room. */
const ALERTS_MAX = 50

/** What people should know and no case tells, for as long as this server runs. */
export class NoticeBoard {
  readonly #alerts = new Map<string, AlertRow>()

  /** The same alert again is the newest, not a second one. */
  add({ code, severity, message, task, agent }: Notice, hint = ''): void {
    const id = `${code} ${task ?? ''} ${agent ?? ''} ${message}`.slice(0, 200)
    this.#alerts.delete(id)
    this.#alerts.set(id, {
      id,
      severity,
      code,
      message,
      hint,
      at: new Date().toISOString(),
      case: task ?? null,
      agent: agent ?? null,
    })
    if (this.#alerts.size > ALERTS_MAX) this.#alerts.delete(this.#alerts.keys().next().value ?? '')
  }

  alerts(): readonly AlertRow[] {
    return [...this.#alerts.values()]
  }
}
