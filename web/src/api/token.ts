const KEY = 'axiom-token'

/**
 * The token is in the fragment of the opened address, which no server and no log ever sees. It is kept for
 * this tab only, and removed from the address so that a copied link does not contain it.
 */
export function takeToken(): string | undefined {
  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  if (given) {
    sessionStorage.setItem(KEY, given)
    history.replaceState(history.state, '', location.pathname + location.search)
  }
  return given ?? sessionStorage.getItem(KEY) ?? undefined
}

export function keepToken(token: string): void {
  sessionStorage.setItem(KEY, token)
}
