import { Outlet, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useState } from 'react'
import type { Subject } from '../actions/action.ts'
import { ActionDesk } from '../actions/action-desk.tsx'
import { subjectsAtHand } from '../actions/subjects.ts'
import { useWiring } from '../state/use-rows.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import { Navigation } from './navigation.tsx'
import type { Overlay } from './overlay.ts'
import { Toasts } from './toasts.tsx'
import { type Doing, useShortcuts } from './use-shortcuts.ts'

const Palette = lazy(() => import('./palette.tsx').then(({ Palette }) => ({ default: Palette })))
const Help = lazy(() => import('./help.tsx').then(({ Help }) => ({ default: Help })))

export function Frame() {
  return (
    <ActionDesk>
      <Inside />
    </ActionDesk>
  )
}

function Inside() {
  const [overlay, setOverlay] = useState<Overlay>(undefined)
  // Captured when the palette opens: afterwards the focus is in the palette.
  const [subjects, setSubjects] = useState<readonly Subject[]>([])
  const { rows } = useWiring()
  const navigate = useNavigate()
  const open = useCallback(
    (next: Overlay) => {
      setSubjects(subjectsAtHand(rows))
      setOverlay(next)
    },
    [rows],
  )
  const go = useCallback((to: Parameters<Doing['go']>[0]) => void navigate({ to }), [navigate])
  useShortcuts({ open, go })
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
        <Navigation open={open} />
        <main id="content" tabIndex={-1} className="min-w-0 px-4 py-4 pb-24 outline-none lg:px-6 lg:pb-8">
          <Outlet />
        </main>
      </div>
      <Toasts />
      <Suspense fallback={null}>
        {overlay === 'palette' ? <Palette subjects={subjects} close={() => setOverlay(undefined)} /> : null}
        {overlay === 'help' ? <Help close={() => setOverlay(undefined)} /> : null}
      </Suspense>
    </>
  )
}
