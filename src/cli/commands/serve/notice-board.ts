import type { Notice } from '../../../project/alerts.ts'
import { type Alert, addAlert, readAlerts } from '../../../project/alerts.ts'

/** What this server itself has to tell, for as long as it runs, and what the director tells, whichever process it is. */
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
