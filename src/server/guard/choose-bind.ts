import { hostname, networkInterfaces } from 'node:os'
import { Failure } from '../../platform/failure.ts'
import { TOKEN_CHARACTERS_MIN } from './token.ts'

export interface BindRequest {
  /** The address to listen at; the loopback address when absent. */
  readonly host?: string
  /** Whether other machines may reach the server, by flag. */
  readonly remoteAllowed: boolean
  /** The token that the user set. */
  readonly token?: string
}

export const LOOPBACK = '127.0.0.1'
const LOOPBACKS: readonly string[] = [LOOPBACK, '::1', 'localhost']
const EVERYWHERE: readonly string[] = ['0.0.0.0', '::']

/** The address to listen at. One beyond this machine needs two settings of the user: a flag, and a token. */
export function chooseBind({ host = LOOPBACK, remoteAllowed, token }: BindRequest): string {
  if (token !== undefined && token.length < TOKEN_CHARACTERS_MIN) {
    throw new Failure('USAGE_TOKEN', `the token has fewer than ${TOKEN_CHARACTERS_MIN} characters`, {
      hint: 'make one with "openssl rand -base64 32"',
    })
  }
  if (LOOPBACKS.includes(host)) return host
  if (remoteAllowed && token !== undefined) return host
  throw new Failure('USAGE_REMOTE', `${host} can be reached by other machines`, {
    hint: 'add --allow-remote and set AXIOM_TOKEN to a secret of at least 32 characters, or leave --host out',
  })
}

/**
 * The host names under which a browser may reach the server; none that a foreign name server could invent.
 */
export function hostsOf(bound: string, port: number): ReadonlySet<string> {
  const names = LOOPBACKS.includes(bound)
    ? LOOPBACKS
    : EVERYWHERE.includes(bound)
      ? [...LOOPBACKS, hostname(), ...ownAddresses()]
      : [bound]
  return new Set(names.map((name) => hostAndPort(name, port).toLowerCase()))
}

export function hostAndPort(name: string, port: number): string {
  return `${name.includes(':') ? `[${name}]` : name}:${port}`
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).map(({ address }) => address),
  )
}
