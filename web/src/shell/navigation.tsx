import { Link } from '@tanstack/react-router'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { useProject, useRows, useWords } from '../state/use-rows.ts'
import { DESTINATIONS } from './destinations.ts'
import type { Overlay } from './overlay.ts'
import { ThemeChoice } from './theme-choice.tsx'

/** On a wide screen a column at the side, on a narrow one a bar at the bottom. */
export function Navigation({ open }: { readonly open: (overlay: Overlay) => void }) {
  const project = useProject()
  const waiting = useRows('inbox').length
  const alerts = useRows('alerts').length
  const counts: Readonly<Record<string, number>> = { '/inbox': waiting, '/health': alerts }
  return (
    <header className="z-20 border-line bg-surface max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:border-t lg:sticky lg:top-0 lg:flex lg:h-dvh lg:flex-col lg:border-r lg:p-3">
      <p className="mb-4 px-2 max-lg:hidden">
        <span className="block text-lg font-semibold tracking-wide">{useWords()?.product ?? 'AXIOM'}</span>
        <span className="block truncate text-xs text-soft" title={project?.root}>
          {project?.name ?? ' '}
        </span>
      </p>
      <nav aria-label="Pages">
        <ul className="flex max-lg:justify-around lg:flex-col lg:gap-0.5">
          {DESTINATIONS.map(({ to, name, icon }) => (
            <li key={to}>
              <Link
                to={to}
                activeOptions={{ exact: to === '/' }}
                className="flex items-center gap-2 rounded-md px-2 py-1.5 font-medium text-soft hover:bg-raised max-lg:min-h-12 max-lg:flex-col max-lg:gap-0 max-lg:text-xs"
                activeProps={{ className: 'bg-raised text-ink', 'aria-current': 'page' }}
              >
                <Icon name={icon} />
                {name}
                {(counts[to] ?? 0) > 0 ? (
                  <span className="ml-auto rounded-full bg-accent px-1.5 text-xs font-semibold text-on-accent max-lg:ml-0">
                    {counts[to]}
                  </span>
                ) : null}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="mt-auto flex flex-col gap-2 max-lg:hidden">
        <Button tone="quiet" onClick={() => open('palette')}>
          Find or do <kbd className="ml-auto font-mono text-xs text-soft">Ctrl K</kbd>
        </Button>
        <Button tone="quiet" onClick={() => open('help')}>
          Keys <kbd className="ml-auto font-mono text-xs text-soft">?</kbd>
        </Button>
        <ThemeChoice />
      </div>
    </header>
  )
}
