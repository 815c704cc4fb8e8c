/** Numbers from 0 to 1 that a seed repeats: a failure found by chance can be looked at again. */
export type Random = () => number

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}

/** A whole number below the bound. */
export function below(random: Random, bound: number): number {
  return Math.floor(random() * bound)
}

export function shuffled<Item>(random: Random, items: readonly Item[]): Item[] {
  const mixed = [...items]
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = below(random, last + 1)
    const item = mixed[last] as Item
    mixed[last] = mixed[other] as Item
    mixed[other] = item
  }
  return mixed
}
