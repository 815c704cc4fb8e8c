/** What JSON lets through unescaped although a terminal may obey it: DEL, the C1 controls, and the bidi marks. */
const STEERING = /[\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}/gu

/** One value as one line of JSON that is safe to look at in a terminal; it reads back as the same value. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(
    STEERING,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
