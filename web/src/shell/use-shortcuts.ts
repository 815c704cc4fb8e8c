import { useEffect } from 'react'
import { useDesk } from '../actions/action-desk.tsx'
import { actionsFor } from '../actions/action-table.ts'
import { subjectsAtHand } from '../actions/subjects.ts'
import type { RowStore } from '../state/row-store.ts'
import { useWiring } from '../state/use-rows.ts'
import { DESTINATIONS } from './destinations.ts'
import type { Overlay } from './overlay.ts'
import { chooseOption, moveSelection, openSelection } from './selection.ts'

export interface Doing {
  readonly open: (overlay: Overlay) => void
  readonly go: (to: (typeof DESTINATIONS)[number]['to']) => void
}

/** The time limit for the letter after `g`. */
const SECOND_KEY_MS = 1_500

/** Keys that work on every page: `?`, Ctrl-K, `g` and a letter, `j`, `k`, Enter. Ignored in input fields. */
export function useShortcuts({ open, go }: Doing): void {
  const { rows } = useWiring()
  const { start } = useDesk()
  useEffect(() => {
    let goUntil = 0
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        open('palette')
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return
      const destination = DESTINATIONS.find(({ key }) => key === event.key)
      if (Date.now() < goUntil && destination) {
        goUntil = 0
        go(destination.to)
      } else if (event.key === 'g') goUntil = Date.now() + SECOND_KEY_MS
      else if (event.key === '?') open('help')
      else if (event.key === 'j' || event.key === 'k') moveSelection(event.key === 'j' ? 1 : -1)
      else if (event.key === 'Enter') openSelection(event)
      else if (/^[1-9]$/.test(event.key)) chooseOption(Number(event.key))
      else act(rows, event, start)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [open, go, rows, start])
}

/**
 * Runs the key's action on the first subject that has one; the letter must not be typed into the form that
 * opens.
 */
function act(rows: RowStore, event: KeyboardEvent, start: ReturnType<typeof useDesk>['start']): void {
  for (const subject of subjectsAtHand(rows)) {
    const action = actionsFor(subject).find(({ key }) => key === event.key)
    if (action === undefined) continue
    event.preventDefault()
    start(action, subject)
    return
  }
}

/** Whether the key belongs to an input field or to an open dialog. */
function isElsewhere(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable], dialog') !== null
  )
}
