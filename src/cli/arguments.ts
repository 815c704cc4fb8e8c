import { InvalidArgumentError } from 'commander'

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `500ms`, `60s`, `5m`, `2h`, `1d`. */
export function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text)
  const unit = UNITS_MS[match?.[2] ?? '']
  if (!match || unit === undefined)
    throw new InvalidArgumentError('a duration is written 500ms, 60s, 5m, 2h or 1d')
  return Number(match[1]) * unit
}

export function parseWhole(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('a whole number is needed')
  return Number(text)
}

/** An option that may be given several times. */
export function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value]
}

/** A parser for an option that takes one word of a list. */
export function oneOf<Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((known) => known === text)
    if (word === undefined) throw new InvalidArgumentError(`allowed: ${words.join(', ')}`)
    return word
  }
}

/** A parser for an option whose value must not be empty. */
export function words(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('it cannot be blank')
  return text
}
