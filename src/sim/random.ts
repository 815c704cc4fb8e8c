/** Random choices determined by the seed alone: the same agent on the same task repeats them. */
export interface Random {
  /** At least 0, less than 1. */
  next(): number
  /** A whole number, both bounds included. */
  between(min: number, max: number): number
}

export function createRandom(seed: string): Random {
  let state = digest(seed)
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0
    return mix(state) / 2 ** 32
  }
  return { next, between: (min, max) => min + Math.floor(next() * (max - min + 1)) }
}

/** The index of an option, chosen by weight. */
export function chooseWeighted(random: Random, weights: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let left = random.next() * total
  for (const [place, weight] of weights.entries()) {
    left -= weight
    if (left < 0) return place
  }
  return weights.length - 1
}

/** An id in UUID format, made from the seed. */
export function seededUuid(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.between(0, 15).toString(16)).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

function digest(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0
  return value
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
