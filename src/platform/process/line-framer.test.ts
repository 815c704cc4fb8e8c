import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineFramer } from './line-framer.ts'

function frame(bytes: Buffer, cuts: readonly number[], cap: number) {
  const framer = new LineFramer(cap)
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  const lines = places.slice(1).flatMap((end, index) => framer.push(bytes.subarray(places[index], end)))
  return {
    lines: [...lines, ...framer.flush()].map((line) => line.toString('latin1')),
    oversize: framer.oversize,
  }
}

describe('the line framer', () => {
  it('gives the same lines at any chunking', () => {
    const text = fc.array(fc.constantFrom('a', 'bb', '\n', '\u00ff'), { maxLength: 60 })
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 6 }), (parts, cuts) => {
        const bytes = Buffer.from(parts.join(''), 'latin1')
        const whole = bytes.toString('latin1').split('\n')
        if (whole.at(-1) === '') whole.pop()
        expect(frame(bytes, cuts, 1_000).lines).toEqual(whole)
      }),
      { numRuns: 200 },
    )
  })

  it('drops a line over the cap whole, counts it, and goes on', () => {
    const bytes = Buffer.from(`short\n${'x'.repeat(50)}\nafter\n${'y'.repeat(11)}`)
    for (let cut = 0; cut <= bytes.length; cut += 1)
      expect(frame(bytes, [cut], 10)).toEqual({ lines: ['short', 'after'], oversize: 2 })
  })
})
