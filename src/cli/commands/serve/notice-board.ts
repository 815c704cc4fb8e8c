import type { Notice } from '../../../project/alerts.ts'
import { type Alert, addAlert, readAlerts } from '../../../project/alerts.ts'

/** Alerts of this server, kept in memory, and those of the director, which may be another process. */
export class NoticeBoard {
  readonly #projectFolder: string
  #own: readonly Alert[] = []

  constructor(projectFolder: string) {
    this.#projectFolder = projectFolder
  }

  add(notice: Notice, hint = ''): void {
    this.#own = addAlert(this.#own, notice, new Date().toISOString(), hint)
  }

  async alerts(): Promise<readonly Alert[]> {
    const told = await readAlerts(this.#projectFolder)
    const own = this.#own.filter(({ id }) => told.every((alert) => alert.id !== id))
    return [...told, ...own].toSorted((a, b) => a.at.localeCompare(b.at))
  }
}
