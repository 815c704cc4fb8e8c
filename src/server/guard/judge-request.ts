import { isToken } from './token.ts'

export interface GuardRules {
  /** Every `host:port` that this server answers to. */
  readonly hosts: ReadonlySet<string>
  readonly token: string
}

export interface Asked {
  readonly method: string
  /** The host of the requested address; a request in absolute form can set it freely. */
  readonly host: string
  header(name: string): string | undefined
}

export interface Objection {
  readonly status: 401 | 403 | 405 | 415 | 421
  readonly code: string
  readonly message: string
  readonly hint: string
}

const BEARER = /^Bearer ([A-Za-z0-9_.~+/=-]{1,512})$/i
/** Requests of our own pages, and addresses that the user typed or opened. */
const OWN_SITES: readonly string[] = ['same-origin', 'none']
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST']

/**
 * The first objection to a request, checked in this order: host, origin, site, token, form. A browser can be
 * made to send anything except a foreign Host, its own Origin and our token.
 */
export function judgeRequest(
  asked: Asked,
  rules: GuardRules,
  needsToken: boolean,
  hasBody: boolean,
): Objection | undefined {
  return (
    judgeHost(asked, rules) ??
    judgeOrigin(asked, rules) ??
    judgeSite(asked, !needsToken) ??
    (needsToken ? judgeToken(asked, rules) : undefined) ??
    judgeForm(asked, hasBody)
  )
}

function judgeHost(asked: Asked, { hosts }: GuardRules): Objection | undefined {
  const host = asked.header('host')?.toLowerCase()
  if (host !== undefined && hosts.has(host) && hosts.has(asked.host.toLowerCase())) return undefined
  return {
    status: 421,
    code: 'SERVER_FOREIGN_HOST',
    message: 'this server is not known by that name',
    hint: `use the address that "axiom serve" printed`,
  }
}

function judgeOrigin(asked: Asked, { hosts }: GuardRules): Objection | undefined {
  const origin = asked.header('origin')?.toLowerCase()
  if (origin === undefined) return undefined
  if (origin.startsWith('http://') && hosts.has(origin.slice('http://'.length))) return undefined
  return foreign('the request comes from a page of another origin')
}

function judgeSite(asked: Asked, isPage: boolean): Objection | undefined {
  const site = asked.header('sec-fetch-site')
  if (site === undefined || OWN_SITES.includes(site)) return undefined
  return isPage && isFollowed(asked) ? undefined : foreign('the request comes from a page of another site')
}

/**
 * Navigation to one of our pages, by a link or by the private page that opens the browser. It is safe: the
 * pages hold no data, cannot be framed, and make their later requests themselves.
 */
function isFollowed(asked: Asked): boolean {
  return asked.header('sec-fetch-mode') === 'navigate' && asked.header('sec-fetch-dest') === 'document'
}

function foreign(message: string): Objection {
  return { status: 403, code: 'SERVER_FOREIGN_ORIGIN', message, hint: 'ask from a page of this server' }
}

function judgeToken(asked: Asked, { token }: GuardRules): Objection | undefined {
  const [, given] = BEARER.exec(asked.header('authorization') ?? '') ?? []
  if (given !== undefined && isToken(given, token)) return undefined
  return {
    status: 401,
    code: 'SERVER_NO_TOKEN',
    message: 'the request shows no valid token',
    hint: 'open the address that "axiom serve" printed, or send "Authorization: Bearer TOKEN"',
  }
}

/** A form on another page can send a body, but not as JSON. */
function judgeForm(asked: Asked, hasBody: boolean): Objection | undefined {
  if (!METHODS.includes(asked.method)) {
    return { status: 405, code: 'SERVER_METHOD', message: `${asked.method} is not used here`, hint: '' }
  }
  if (asked.method !== 'POST' && !hasBody) return undefined
  if (/^application\/json(?:\s*;\s*charset=utf-8)?$/i.test(asked.header('content-type') ?? ''))
    return undefined
  return {
    status: 415,
    code: 'SERVER_NO_JSON',
    message: 'a body must be JSON',
    hint: 'send "Content-Type: application/json"',
  }
}
