/** The replacement of a secret; valid inside a JSON string. */
export const REDACTED = '[redacted]'

/** Shorter values are too likely to be ordinary words. */
const SECRET_LENGTH_MIN = 8
/** A token longer than this may be cut in two by the end of a chunk. */
const HELD_BYTES_MAX = 4_096
/** A key block without its end is held back up to this size. */
const KEY_BLOCK_BYTES_MAX = 16_384

/**
 * Patterns of well-known services' secrets, for those not in the known list. Each starts with a search for a
 * few plain bytes, which costs next to nothing on the gigabytes without a match.
 */
const FORMS: readonly { readonly anchor: Buffer; readonly pattern: RegExp }[] = [
  form('sk-', /\bsk-[\w-]{20,}/g),
  form('gh', /\bgh[pousr]_[A-Za-z0-9]{20,}/g),
  form('github_pat_', /\bgithub_pat_\w{22,}/g),
  form('glpat-', /\bglpat-[\w-]{20,}/g),
  form('npm_', /\bnpm_[A-Za-z0-9]{36}/g),
  form('xox', /\bxox[abprs]-[\w-]{10,}/g),
  form('AKIA', /\bAKIA[0-9A-Z]{16}/g),
  form('AIza', /\bAIza[\w-]{35}/g),
  form('eyJ', /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}/g),
  form('earer ', /(?<=\b[Bb]earer )[\w.~+/=-]{16,}/g),
  form('://', /(?<=:\/\/[^\s:/@"]{1,100}:)[^\s:/@"]{3,200}(?=@)/g),
  form('PRIVATE KEY', /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]{0,16384}?-----END [A-Z ]*PRIVATE KEY-----/g),
]
const KEY_BEGIN = Buffer.from('-----BEGIN ')
const KEY_END = 'PRIVATE KEY-----'
const BEARER = 'Bearer '
const EMPTY = Buffer.alloc(0)

function form(anchor: string, pattern: RegExp): { anchor: Buffer; pattern: RegExp } {
  return { anchor: Buffer.from(anchor), pattern }
}

/**
 * Removes secrets from a stream of bytes, also where a chunk boundary cuts one in two. All output of an agent
 * passes through here before anything else reads it, so that no second place can be forgotten.
 */
export class Redactor {
  #secrets: readonly Buffer[]
  #held: Buffer = EMPTY

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
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    const cut = this.#cut(bytes)
    // Copied, so that a few held bytes do not keep a whole chunk alive.
    this.#held = Buffer.from(bytes.subarray(cut))
    return this.#clean(bytes.subarray(0, cut))
  }

  /** What was held back, when nothing more comes. */
  flush(): Buffer {
    const rest = this.#clean(this.#held)
    this.#held = EMPTY
    return rest
  }

  /** One whole text, such as the message of an error. */
  redact(text: string): string {
    return this.#clean(Buffer.from(text)).toString()
  }

  #clean(bytes: Buffer): Buffer {
    const secrets = this.#secrets.filter((secret) => bytes.includes(secret))
    const forms = FORMS.filter(({ anchor }) => bytes.includes(anchor))
    if (secrets.length === 0 && forms.length === 0) return bytes
    // One character per byte: text that is cut in the middle of a character, or binary data, passes
    // unchanged.
    let text = bytes.toString('latin1')
    for (const secret of secrets) text = text.replaceAll(secret.toString('latin1'), REDACTED)
    for (const { pattern } of forms) text = text.replace(pattern, REDACTED)
    return Buffer.from(text, 'latin1')
  }

  /** The offset up to which no byte can belong to a secret that ends in a later chunk. */
  #cut(bytes: Buffer): number {
    let cut = bytes.length
    const floor = Math.max(0, bytes.length - HELD_BYTES_MAX)
    while (cut > floor && isTokenCode(bytes[cut - 1] ?? 0)) cut -= 1
    const word = bytes.toString('latin1', Math.max(0, cut - BEARER.length), cut)
    if (/^bearer $/i.test(word)) cut -= word.length
    for (const secret of this.#secrets) cut = Math.min(cut, overlap(bytes, secret))
    const block = bytes.lastIndexOf(KEY_BEGIN, cut)
    if (
      block >= 0 &&
      bytes.length - block < KEY_BLOCK_BYTES_MAX &&
      isOpenBlock(bytes.toString('latin1', block, cut))
    )
      cut = Math.min(cut, block)
    return cut
  }
}

function isOpenBlock(text: string): boolean {
  return text.split(KEY_END).length <= 2
}

/** The start of the longest suffix of the bytes that is also a prefix of the secret. */
function overlap(bytes: Buffer, secret: Buffer): number {
  const first = secret[0] ?? 0
  let at = bytes.indexOf(first, Math.max(0, bytes.length - secret.length + 1))
  while (at >= 0) {
    if (bytes.compare(secret, 0, bytes.length - at, at) === 0) return at
    at = bytes.indexOf(first, at + 1)
  }
  return bytes.length
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
function knownForms(secrets: readonly string[]): Buffer[] {
  const forms = new Set<string>()
  for (const secret of secrets) {
    if (secret.length < SECRET_LENGTH_MIN) continue
    forms.add(secret).add(JSON.stringify(secret).slice(1, -1))
  }
  return [...forms].map((text) => Buffer.from(text)).toSorted((a, b) => b.length - a.length)
}
