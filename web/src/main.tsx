import './styles/base.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Client } from './api/client.ts'
import { takeToken } from './api/token.ts'
import { router } from './router.tsx'
import { SignIn } from './shell/sign-in.tsx'
import { Connection } from './state/connection.ts'
import { RowStore } from './state/row-store.ts'
import { applyTheme } from './state/theme.ts'
import { WiringContext } from './state/use-rows.ts'

applyTheme()
const place = document.getElementById('root')
if (place === null) throw new Error('the page has no place for itself')
const screen = createRoot(place)
const token = takeToken()

if (token === undefined) screen.render(<SignIn />)
else {
  const client = new Client(token)
  const rows = new RowStore()
  const connection = new Connection(client, rows)
  void connection.keep(new AbortController().signal)
  screen.render(
    <StrictMode>
      <WiringContext value={{ client, rows, connection }}>
        <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </WiringContext>
    </StrictMode>,
  )
}
