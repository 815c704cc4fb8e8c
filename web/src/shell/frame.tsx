import { Outlet, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { ConnectionBanner } from './connection-banner.tsx'
import { Navigation } from './navigation.tsx'
import { Toasts } from './toasts.tsx'
import { useShortcuts } from './use-shortcuts.ts'

const Palette = lazy(() => import('./palette.tsx').then(({ Palette }) => ({ default: Palette })))
const Help = lazy(() => import('./help.tsx').then(({ Help }) => ({ default: Help })))

export type Overlay = 'palette' | 'help' | undefined

export function Frame() {
  const [overlay, setOverlay] = useState<Overlay>(undefined)
  const navigate = useNavigate()
  useShortcuts({ open: setOverlay, go: (to) => void navigate({ to }) })
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-surface focus:px-3 focus:py-2"
      >
        Skip to the content
      </a>
      <ConnectionBanner />
      <div className="min-h-dvh lg:grid lg:grid-cols-[13rem_1fr]">
        <Navigation open={setOverlay} />
        <main id="content" tabIndex={-1} className="min-w-0 px-4 py-4 pb-24 outline-none lg:px-6 lg:pb-8">
          <Outlet />
        </main>
      </div>
      <Toasts />
      <Suspense fallback={null}>
        {overlay === 'palette' ? <Palette close={() => setOverlay(undefined)} /> : null}
        {overlay === 'help' ? <Help close={() => setOverlay(undefined)} /> : null}
      </Suspense>
    </>
  )
}
