const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** Characters that terminals draw two columns wide: emoji and East Asian scripts. */
const WIDE =
  /^(?:\p{Emoji_Presentation}|.\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}])/u
const NOTHING = /^\p{Mark}+$/u

/** Columns that a plain text takes on a terminal. */
export function textWidth(text: string): number {
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += segmentWidth(segment)
  return width
}

function segmentWidth(segment: string): number {
  if (NOTHING.test(segment)) return 0
  return WIDE.test(segment) ? 2 : 1
}

/** Fits a plain text to exactly `columns` columns: cut with an ellipsis, or padded with blanks. */
export function fitText(text: string, columns: number): string {
  const whole = textWidth(text)
  if (whole <= columns) return text + ' '.repeat(columns - whole)
  if (columns <= 0) return ''
  let cut = ''
  let width = 0
  for (const { segment } of segmenter.segment(text)) {
    const next = width + segmentWidth(segment)
    if (next > columns - 1) break
    cut += segment
    width = next
  }
  return `${cut}…${' '.repeat(columns - 1 - width)}`
}

/** The same without the blanks at the end. */
export function cutTo(text: string, columns: number): string {
  return fitText(text, columns).trimEnd()
}
