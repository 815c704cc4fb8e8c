import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const TOKEN_BYTES = 32
/** A token that a person chose must not be shorter: it is all that stands between a network and the project. */
export const TOKEN_CHARACTERS_MIN = 32

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** Compares in a time that tells nothing about where two tokens differ, nor about their lengths. */
export function isToken(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
