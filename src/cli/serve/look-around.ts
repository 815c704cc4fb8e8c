import { join } from 'node:path'
import type { Config } from '../../config/schema.ts'
import { liveWorks } from '../../director/live-works.ts'
import type { OpenedWorld } from '../../director/open-world.ts'
import { measureDisk, measureMemory } from '../../health/measure-machine.ts'
import { CLEAR, type Weather, WeatherStation } from '../../integration/weather.ts'
import type { HealthRow, WeatherRow } from '../../server/contract.ts'
import type { Surroundings } from '../../server/picture/picture.ts'
import type { NoticeBoard } from './notice-board.ts'

/** Merging pairs of works costs processes, and nobody waits for the weather. */
const WEATHER_MS = 15_000
const HEALTH_MS = 5_000
const MEGABYTE = 1024 * 1024
const MEMORY_WARN_SHARE = 0.1

/** The machine and the weather, looked at now and then, and what the director has to say. */
export class Lookout {
  readonly #root: string
  readonly #disk: Config['disk']
  readonly #notices: NoticeBoard
  readonly #world: () => OpenedWorld | undefined
  #health: readonly HealthRow[] = []
  #healthAtMs = 0
  #weather: Weather = CLEAR
  #weatherAtMs = 0
  #looking = false

  constructor(
    root: string,
    disk: Config['disk'],
    notices: NoticeBoard,
    world: () => OpenedWorld | undefined,
  ) {
    this.#root = root
    this.#disk = disk
    this.#notices = notices
    this.#world = world
  }

  async look(): Promise<Surroundings> {
    const nowMs = Date.now()
    if (nowMs - this.#healthAtMs >= HEALTH_MS) {
      this.#healthAtMs = nowMs
      this.#health = await this.#measure(new Date(nowMs).toISOString())
    }
    if (nowMs - this.#weatherAtMs >= WEATHER_MS) this.#lookAtWeather(nowMs)
    return {
      alerts: await this.#notices.alerts(),
      health: this.#health,
      weather: this.#weather.pairs.map(weatherRow),
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

  /** In the background: a picture that is drawn meanwhile has the weather of before. */
  #lookAtWeather(nowMs: number): void {
    const world = this.#world()
    if (!world || this.#looking) return
    this.#weatherAtMs = nowMs
    this.#looking = true
    const { git, integration } = world.ground
    const station = new WeatherStation({
      git,
      repository: { gitDir: integration.gitDir },
      scratchDir: join(world.root, world.vocabulary.folder, 'scratch'),
    })
    liveWorks(world)
      .then((works) => station.look(works))
      .then(
        (weather) => {
          this.#weather = weather
        },
        // It is looked at again soon.
        () => undefined,
      )
      .finally(() => {
        this.#looking = false
      })
  }
}

function weatherRow({ tasks, sky, files }: Weather['pairs'][number]): WeatherRow {
  return { pair: tasks.join(' '), tasks, sky, files }
}

function amount(bytes: number): string {
  const megabytes = bytes / MEGABYTE
  return megabytes < 1024 ? `${Math.round(megabytes)} MB` : `${(megabytes / 1024).toFixed(1)} GB`
}
