import { expect, it } from 'vitest'
import { fuzzSignals } from './compare.ts'

/** The parser beside an oracle of another make, on so many generated inputs for each seed. */
export function expectAgreement(seeds: readonly number[], inputs: number): void {
  it.each(seeds)('agrees with the oracle and with itself in pieces, seed %i', (seed) => {
    const { differences, signals, problems } = fuzzSignals(seed, inputs)
    expect(differences).toEqual([])
    expect(signals).toBeGreaterThan(inputs / 10)
    expect(problems).toBeGreaterThan(inputs / 10)
  })
}
