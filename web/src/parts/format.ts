const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export function duration(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)}s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}m ${Math.floor((ms % MINUTE) / SECOND)}s`
  return `${Math.floor(ms / HOUR)}h ${Math.floor((ms % HOUR) / MINUTE)}m`
}

export function money(usd: number): string {
  return usd === 0 ? '$0' : usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`
}

export function ago(instant: string, nowMs: number = Date.now()): string {
  const ms = nowMs - Date.parse(instant)
  if (ms >= DAY) return `${Math.floor(ms / DAY)}d ago`
  return ms < MINUTE ? 'just now' : `${duration(ms).split(' ')[0]} ago`
}

export function clockTime(instant: string): string {
  return new Date(instant).toLocaleTimeString(undefined, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hour12: false,
  })
}

/** `11-16 01:52:08`, in the local time zone. */
export function dayAndTime(instant: string): string {
  const at = new Date(instant)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(at.getMonth() + 1)}-${two(at.getDate())} ${clockTime(instant)}`
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
