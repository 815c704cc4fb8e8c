/** Terminal control sequences: CSI, OSC, DCS and the like with their parameters, also in 8-bit form. */
const TERMINAL_ORDERS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is made visible
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
/** Bidi overrides, which show a text in another order than it has. Plain direction marks are allowed. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g
/** Finds text to clean before parsing; JSON escapes most controls. */
const SUSPECT = /\\u00[01]|\\[bf]|\\r|[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/i

const PICTURES = 0x2400
const DELETE = 0x7f

/**
 * Makes text of agents and repositories safe to show: no control sequences, visible controls and overrides.
 */
export function plainText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(TERMINAL_ORDERS, '')
    .replace(CONTROLS, (sign) => pictureOf(sign.charCodeAt(0)))
    .replace(DIRECTIONS, (sign) => `⟨U+${sign.charCodeAt(0).toString(16).toUpperCase()}⟩`)
}

function pictureOf(code: number): string {
  if (code < 0x20) return String.fromCharCode(PICTURES + code)
  return code === DELETE ? '␡' : '�'
}

/** Cleans everything that comes from the server, so that no component has to. */
export function parsePlain(json: string): unknown {
  return SUSPECT.test(json)
    ? JSON.parse(json, (_, value: unknown) => (typeof value === 'string' ? plainText(value) : value))
    : JSON.parse(json)
}
