import { join } from 'node:path'
import { RotatingLog } from '../../../platform/process/rotating-log.ts'
import type { Access } from '../../../server/create-app.ts'

/** `logs/server.jsonl`: requests and errors. */
export class ServerLog implements AsyncDisposable {
  readonly #file: RotatingLog

  private constructor(file: RotatingLog) {
    this.#file = file
  }

  static async open(projectFolder: string): Promise<ServerLog> {
    return new ServerLog(await RotatingLog.open(join(projectFolder, 'logs/server.jsonl')))
  }

  access(access: Access): void {
    this.#write({ event: 'access', ...access })
  }

  trouble(error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.#write({ event: 'trouble', at: new Date().toISOString(), error: text })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file[Symbol.asyncDispose]()
  }

  #write(entry: object): void {
    void this.#file.write(Buffer.from(`${JSON.stringify(entry)}\n`))
  }
}
