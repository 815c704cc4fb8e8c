import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { REDACTED, Redactor } from './redaction.ts'

const secret = 'correct-horse-"battery"-ü'

function redactInPieces(text: string, cuts: readonly number[]): string {
  const bytes = Buffer.from(text)
  const redactor = new Redactor([secret])
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  const pieces = places.slice(1).map((end, index) => redactor.push(bytes.subarray(places[index], end)))
  return Buffer.concat([...pieces, redactor.flush()]).toString()
}

describe('the redactor', () => {
  it.each([
    ['a known value', `pw=${secret};`, `pw=${REDACTED};`],
    ['a known value inside JSON', JSON.stringify({ pw: secret }), `{"pw":"${REDACTED}"}`],
    ['a model key', 'key sk-ant-api03-abcdefghijklmnopqrstuvwxyz end', `key ${REDACTED} end`],
    ['a forge token', `x ghp_${'a1'.repeat(18)} y`, `x ${REDACTED} y`],
    ['a narrow forge token', `x github_pat_${'a1_B'.repeat(20)} y`, `x ${REDACTED} y`],
    ['a token of another forge', `x glpat-${'a-1B'.repeat(5)} y`, `x ${REDACTED} y`],
    [
      'a token of a package registry',
      `//host/:_authToken=npm_${'a1B'.repeat(12)}\n`,
      `//host/:_authToken=${REDACTED}\n`,
    ],
    ['a token of a chat', `x xoxb-${'12-ab'.repeat(4)} y`, `x ${REDACTED} y`],
    ['a key of a cloud', `x AKIA${'A1B2'.repeat(4)} y`, `x ${REDACTED} y`],
    ['a key of another cloud', `x AIza${'a-_1B'.repeat(7)} y`, `x ${REDACTED} y`],
    [
      'a signed token',
      `x eyJ${'hbGciOiJI'.repeat(2)}.${'eyJzdWIi'.repeat(2)}.${'c2lnbmF0'.repeat(2)} y`,
      `x ${REDACTED} y`,
    ],
    ['a bearer header', 'Authorization: Bearer abcdef0123456789abcdef', `Authorization: Bearer ${REDACTED}`],
    ['a password in an address', 'https://me:hunter2@example.com/x', `https://me:${REDACTED}@example.com/x`],
    [
      'a private key',
      '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nrest',
      `${REDACTED}\nrest`,
    ],
  ])('takes out %s, wherever the chunks are cut', (_name, text, clean) => {
    for (let cut = 0; cut <= Buffer.byteLength(text); cut += 1)
      expect(redactInPieces(text, [cut]), `cut at ${cut}`).toBe(clean)
    expect(new Redactor([secret]).redact(text)).toBe(clean)
  })

  it('never lets a known value through and never changes other text', () => {
    const piece = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constant(secret))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 8 }), (parts, cuts) => {
        const text = parts.join(' ')
        const clean = redactInPieces(text, cuts)
        expect(clean).not.toContain(secret)
        expect(clean).toBe(Buffer.from(text).toString().replaceAll(secret, REDACTED))
      }),
      { numRuns: 100 },
    )
  })

  it('leaves bytes that are no text as they are', () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, code) => code))
    const redactor = new Redactor([])
    expect(Buffer.concat([redactor.push(bytes), redactor.flush()])).toEqual(bytes)
  })

  it('holds back no more than a few kilobytes of an endless word', () => {
    const redactor = new Redactor([secret])
    expect(redactor.push(Buffer.alloc(65_536, 0x78)).length).toBeGreaterThan(60_000)
  })
})
