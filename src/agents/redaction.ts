/** What stands in the place of a secret; harmless inside a JSON string. */
export const REDACTED = '[redacted]'

/** Shorter values are too likely to be ordinary words. */
const SECRET_LENGTH_MIN = 8
/** A token longer than this may be cut in two by the end of a chunk. */
const HELD_BYTES_MAX = 4_096
/** A key block without its end is held back for so long. */
const KEY_BLOCK_BYTES_MAX = 16_384

/** Forms that secrets of well-known services have, for those nobody told us of. */
const PATTERNS = new RegExp(
  [
    String.raw`\bsk-[\w-]{20,}`,
    String.raw`\bgh[pousr]_[A-Za-z0-9]{20,}`,
    String.raw`\bgithub_pat_\w{22,}`,
    String.raw`\bglpat-[\w-]{20,}`,
    String.raw`\bnpm_[A-Za-z0-9]{36}`,
    String.raw`\bxox[abprs]-[\w-]{10,}`,
    String.raw`\bAKIA[0-9A-Z]{16}`,
    String.raw`\bAIza[\w-]{35}`,
    String.raw`\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}`,
    String.raw`(?<=\b[Bb]earer )[\w.~+/=-]{16,}`,
    String.raw`(?<=\b[a-z][a-z+]{1,20}:\/\/[^\s:/@"]{1,100}:)[^\s:/@"]{3,200}(?=@)`,
    String.raw`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]{0,${KEY_BLOCK_BYTES_MAX}}?-----END [A-Z ]*PRIVATE KEY-----`,
  ].join('|'),
  'g',
)
const KEY_BEGIN = '-----BEGIN '
const KEY_END = 'PRIVATE KEY-----'

/**
 * Takes secrets out of a stream of bytes, also where the end of a chunk cuts one in two. Everything an agent prints
 * passes through here before anything else sees it, so there is no second place to forget.
 */
export class Redactor {
  #secrets: readonly string[]
  #held = ''

  constructor(secrets: readonly string[]) {
    this.#secrets = knownForms(secrets)
  }

  /** The same secrets for a second stream. */
  another(): Redactor {
    const other = new Redactor([])
    other.#secrets = this.#secrets
    return other
  }

  push(chunk: Buffer): Buffer {
    // One character per byte: text that is cut in the middle of a character, or is no text at all, passes unharmed.
    const text = this.#held + chunk.toString('latin1')
    const cut = this.#cut(text)
    this.#held = text.slice(cut)
    return Buffer.from(this.#clean(text.slice(0, cut)), 'latin1')
  }

  /** What was held back, when nothing more comes. */
  flush(): Buffer {
    const rest = this.#clean(this.#held)
    this.#held = ''
    return Buffer.from(rest, 'latin1')
  }

  /** One whole text, such as the message of an error. */
  redact(text: string): string {
    return Buffer.from(this.#clean(Buffer.from(text).toString('latin1')), 'latin1').toString()
  }

  #clean(text: string): string {
    let clean = text
    for (const secret of this.#secrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, REDACTED)
    return clean.replace(PATTERNS, REDACTED)
  }

  /** Up to where nothing can be the beginning of a secret that ends in a later chunk. */
  #cut(text: string): number {
    let cut = text.length
    const floor = Math.max(0, text.length - HELD_BYTES_MAX)
    while (cut > floor && isTokenCode(text.charCodeAt(cut - 1))) cut -= 1
    const word = text.slice(Math.max(0, cut - 'Bearer '.length), cut)
    if (/^[Bb]earer $/.test(word)) cut -= word.length
    for (const secret of this.#secrets) cut = Math.min(cut, overlap(text, secret))
    const block = text.lastIndexOf(KEY_BEGIN, cut)
    if (block >= 0 && text.length - block < KEY_BLOCK_BYTES_MAX && isOpenBlock(text.slice(block, cut)))
      cut = Math.min(cut, block)
    return cut
  }
}

function isOpenBlock(text: string): boolean {
  return text.split(KEY_END).length <= 2
}

/** Where the longest end of the text begins that is also a beginning of the secret. */
function overlap(text: string, secret: string): number {
  const first = secret.charAt(0)
  let at = text.indexOf(first, Math.max(0, text.length - secret.length + 1))
  while (at >= 0) {
    if (secret.startsWith(text.slice(at))) return at
    at = text.indexOf(first, at + 1)
  }
  return text.length
}

/** Letters, digits and the signs that occur inside tokens and addresses. */
function isTokenCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x2d && code <= 0x3a) ||
    code === 0x5f ||
    code === 0x2b ||
    code === 0x3d ||
    code === 0x7e ||
    code === 0x40
  )
}

/** Each secret as its bytes stand in plain output and inside JSON, longest first. */
function knownForms(secrets: readonly string[]): string[] {
  const forms = new Set<string>()
  for (const secret of secrets) {
    if (secret.length < SECRET_LENGTH_MIN) continue
    const escaped = JSON.stringify(secret).slice(1, -1)
    for (const form of [secret, escaped]) forms.add(Buffer.from(form).toString('latin1'))
  }
  return [...forms].toSorted((a, b) => b.length - a.length)
}
