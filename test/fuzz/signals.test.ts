import { describe, expect, it } from 'vitest'
import { fuzzSignals } from './compare.ts'

const INPUTS_PER_SEED = 250_000

describe('the signal parser on generated input', () => {
  it.each([1, 2, 3, 4])('agrees with the oracle and with itself in pieces, seed %i', (seed) => {
    const { differences, signals, problems } = fuzzSignals(seed, INPUTS_PER_SEED)
    expect(differences).toEqual([])
    expect(signals).toBeGreaterThan(INPUTS_PER_SEED / 10)
    expect(problems).toBeGreaterThan(INPUTS_PER_SEED / 10)
  })
})
