/** The hours in which no agent starts or resumes work, as local times of day, `HH:MM`. */
export interface QuietHours {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440
/** Daylight saving time never shifts a clock further than this. */
const SHIFT_MINUTES_MAX = 180

/** Whether a moment is in the quiet hours of the time zone; the machine's own where none is given. */
export function isQuiet(atMs: number, quiet: QuietHours, timeZone?: string): boolean {
  const from = minutesOf(quiet.from)
  const to = minutesOf(quiet.to)
  if (from === undefined || to === undefined || from === to) return false
  const at = minuteOfDay(atMs, timeZone)
  return from < to ? at >= from && at < to : at >= from || at < to
}

/** The first moment from this one on that is not quiet. */
export function afterQuiet(atMs: number, quiet: QuietHours, timeZone?: string): number {
  if (!isQuiet(atMs, quiet, timeZone)) return atMs
  const to = minutesOf(quiet.to) ?? 0
  const minutes = (to - minuteOfDay(atMs, timeZone) + DAY_MINUTES) % DAY_MINUTES
  let end = Math.floor(atMs / MINUTE_MS) * MINUTE_MS + minutes * MINUTE_MS
  // Across a change of daylight saving time a day is shorter or longer than the clock difference.
  // Where clocks skip a whole short gap between two quiet periods, the next free moment is a day later.
  const stepsMax = DAY_MINUTES + SHIFT_MINUTES_MAX
  for (let step = 0; step < stepsMax && isQuiet(end, quiet, timeZone); step += 1) end += MINUTE_MS
  for (let step = 0; step < SHIFT_MINUTES_MAX; step += 1) {
    const earlier = end - MINUTE_MS
    if (earlier <= atMs || isQuiet(earlier, quiet, timeZone)) break
    end = earlier
  }
  return end
}

function minutesOf(text: string | undefined): number | undefined {
  const [, hours, minutes] = /^(\d\d):(\d\d)$/.exec(text ?? '') ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}

function minuteOfDay(atMs: number, timeZone: string | undefined): number {
  const parts = formatOf(timeZone).formatToParts(atMs)
  const value = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0)
  return value('hour') * 60 + value('minute')
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const key = timeZone ?? ''
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone })
  formats.set(key, format)
  return format
}
