/**
 * Characters that JSON does not escape although a terminal may act on them: DEL, the C1 controls, bidi marks.
 */
const STEERING = /[\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}/gu

/** One value as one line of JSON that is safe to print in a terminal; it parses to the same value. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(
    STEERING,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
