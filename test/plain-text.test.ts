import { expect, it } from 'vitest'
import { parsePlain, plainText } from '../web/src/api/plain-text.ts'

it.each([
  ['colours and cursor moves', '\u001b[31mred\u001b[0m \u001b[2J\u001b[H', 'red '],
  [
    'links and titles',
    '\u001b]8;;https://x.invalid/\u0007link\u001b]8;;\u0007\u001b]0;title\u001b\\.',
    'link.',
  ],
  ['orders in one byte', '\u009b31mred\u009d0;title\u009c.', 'red.'],
  ['strings for devices', '\u001bP1$r0m\u001b\\a\u001b_b\u001b\\c\u001bc', 'ac'],
  ['an order that never ends', 'a\u001b]0;title', 'a'],
  ['an order that is cut off', 'a\u001b', 'a␛'],
  ['lone controls', 'a\u0000\u0008b\u007f\u0085', 'a␀␈b␡\ufffd'],
  ['what text needs', 'one\ttwo\nthree\r\nfour', 'one\ttwo\nthree\nfour'],
  ['a line that overwrites itself', '10%\r100%', '10%␍100%'],
  ['changes of direction', '\u202etxt.exe\u202c \u2066a\u2069', '⟨U+202E⟩txt.exe⟨U+202C⟩ ⟨U+2066⟩a⟨U+2069⟩'],
  ['letters that run the other way', 'שלום \u200f!', 'שלום \u200f!'],
])('shows %s as text that does nothing', (_, text, shown) => {
  expect(plainText(text)).toBe(shown)
  expect(parsePlain(JSON.stringify({ deep: [{ text }] }))).toEqual({ deep: [{ text: shown }] })
})

it('leaves what is harmless as it is', () => {
  const value = { text: 'a "quoted" \\ line\nwith é and 😀', number: 1, none: null }
  expect(parsePlain(JSON.stringify(value))).toEqual(value)
})
