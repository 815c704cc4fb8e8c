import type { Config } from '../../../config/schema.ts'
import { readQueueBoard } from '../../../director/land/queue-board.ts'
import { measureDisk, measureMemory } from '../../../health/measure-machine.ts'
import type { PairWeather } from '../../../integration/weather.ts'
import type { HealthRow, WeatherRow } from '../../../server/contract.ts'
import type { Surroundings } from '../../../server/picture/picture.ts'
import type { NoticeBoard } from './notice-board.ts'

const HEALTH_MS = 5_000
const MEGABYTE = 1024 * 1024
const MEMORY_WARN_SHARE = 0.1

/**
 * The state of the machine, measured at intervals, and the queue as the director in this or another process
 * reports it.
 */
export class Lookout {
  readonly #root: string
  readonly #disk: Config['disk']
  readonly #notices: NoticeBoard
  readonly #folder: string
  #health: readonly HealthRow[] = []
  #healthAtMs = 0

  constructor(root: string, folder: string, disk: Config['disk'], notices: NoticeBoard) {
    this.#root = root
    this.#folder = folder
    this.#disk = disk
    this.#notices = notices
  }

  async look(): Promise<Surroundings> {
    const nowMs = Date.now()
    if (nowMs - this.#healthAtMs >= HEALTH_MS) {
      this.#healthAtMs = nowMs
      this.#health = await this.#measure(new Date(nowMs).toISOString())
    }
    const board = await readQueueBoard(this.#folder, nowMs)
    return {
      alerts: await this.#notices.alerts(),
      health: this.#health,
      weather: board?.weather.pairs.map(weatherRow) ?? [],
      batches: board ? { tasks: board.batches, isChecking: board.isChecking } : null,
    }
  }

  async #measure(at: string): Promise<HealthRow[]> {
    const free = await measureDisk([this.#root])
    const { availableBytes, totalBytes } = measureMemory()
    const { warnMegabytes, pauseMegabytes } = this.#disk
    const freeMb = free / MEGABYTE
    return [
      {
        id: 'disk',
        name: 'Disk',
        state: freeMb < pauseMegabytes ? 'fail' : freeMb < warnMegabytes ? 'warn' : 'ok',
        value: `${amount(free)} free`,
        detail: `warns below ${warnMegabytes} MB, pauses below ${pauseMegabytes} MB`,
        at,
      },
      {
        id: 'memory',
        name: 'Memory',
        state: availableBytes < totalBytes * MEMORY_WARN_SHARE ? 'warn' : 'ok',
        value: `${amount(availableBytes)} of ${amount(totalBytes)} available`,
        detail: '',
        at,
      },
    ]
  }
}

function weatherRow({ tasks, sky, files }: PairWeather): WeatherRow {
  return { pair: tasks.join(' '), tasks, sky, files }
}

function amount(bytes: number): string {
  const megabytes = bytes / MEGABYTE
  return megabytes < 1024 ? `${Math.round(megabytes)} MB` : `${(megabytes / 1024).toFixed(1)} GB`
}
