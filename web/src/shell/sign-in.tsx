import { useState } from 'react'
import { keepToken } from '../api/token.ts'
import { Button } from '../parts/button.tsx'

/** Shown when the page was opened without its token, such as from a bookmark. */
export function SignIn() {
  const [token, setToken] = useState('')
  return (
    <main className="mx-auto mt-[20vh] max-w-md px-4">
      <h1 className="text-xl font-semibold">This page needs its token</h1>
      <p className="mt-2 text-soft">
        Open the address that <code className="font-mono">axiom serve</code> printed, or paste the token from
        it.
      </p>
      <form
        className="mt-4 flex gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          keepToken(token.trim())
          location.reload()
        }}
      >
        <label className="grow">
          <span className="sr-only">Token</span>
          <input
            className="w-full rounded-md border border-line bg-surface px-3 py-1.5 font-mono"
            type="password"
            autoComplete="off"
            value={token}
            onChange={({ target }) => setToken(target.value)}
          />
        </label>
        <Button tone="primary" type="submit" disabled={token.trim() === ''}>
          Open
        </Button>
      </form>
    </main>
  )
}
