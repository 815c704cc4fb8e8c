import { useEffect } from 'react'
import { DESTINATIONS } from './destinations.ts'
import type { Overlay } from './frame.tsx'
import { moveSelection, openSelection } from './selection.ts'

interface Doing {
  readonly open: (overlay: Overlay) => void
  readonly go: (to: (typeof DESTINATIONS)[number]['to']) => void
}

/** How long the letter after `g` is waited for. */
const SECOND_KEY_MS = 1_500

/** Keys that work on every page: `?`, Ctrl-K, `g` and a letter, `j`, `k`, Enter. Never while somebody types. */
export function useShortcuts({ open, go }: Doing): void {
  useEffect(() => {
    let goUntil = 0
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        open('palette')
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const destination = DESTINATIONS.find(({ key }) => key === event.key)
      if (Date.now() < goUntil && destination) {
        goUntil = 0
        go(destination.to)
      } else if (event.key === 'g') goUntil = Date.now() + SECOND_KEY_MS
      else if (event.key === '?') open('help')
      else if (event.key === 'j' || event.key === 'k') moveSelection(event.key === 'j' ? 1 : -1)
      else if (event.key === 'Enter' && event.target === document.body) openSelection()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [open, go])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  )
}
