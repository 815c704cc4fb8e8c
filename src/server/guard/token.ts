import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const TOKEN_BYTES = 32
/** The minimum for a token set by the user: it is the only protection of the project from a network. */
export const TOKEN_CHARACTERS_MIN = 32

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** Compares in constant time: neither the first difference nor the lengths of the tokens can be measured. */
export function isToken(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
