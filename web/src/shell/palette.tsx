import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { useState } from 'react'
import type { Subject } from '../actions/action.ts'
import { useDesk } from '../actions/action-desk.tsx'
import { actionsFor } from '../actions/action-table.ts'
import { nameOf } from '../actions/subjects.ts'
import { setTheme, THEMES } from '../state/theme.ts'
import { useRows } from '../state/use-rows.ts'
import { DESTINATIONS } from './destinations.ts'
import { Dialog } from './dialog.tsx'

const CASES_SHOWN_MAX = 20
const ITEM = 'flex items-baseline gap-3 rounded-md px-3 py-1.5 data-[selected=true]:bg-raised'
const GROUP = 'px-2 pb-2 text-xs text-soft [&_[cmdk-item]]:text-base [&_[cmdk-item]]:text-ink'

export function Palette({
  subjects,
  close,
}: {
  readonly subjects: readonly Subject[]
  readonly close: () => void
}) {
  const [text, setText] = useState('')
  const navigate = useNavigate()
  const { start } = useDesk()
  const cases = useRows('cases')
  const wanted = text.toLowerCase()
  // Filtered here: twenty thousand rows are too many for the palette's own scoring.
  const found =
    wanted === ''
      ? []
      : cases
          .filter(({ id, title }) => `${id} ${title}`.toLowerCase().includes(wanted))
          .slice(0, CASES_SHOWN_MAX)
  const act = (work: () => void) => () => {
    close()
    work()
  }
  return (
    <Dialog label="Find or do" close={close}>
      <Command label="Find or do" loop>
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder="A case, a page, an action"
          className="w-full border-b border-line bg-transparent px-4 py-3 text-lg outline-none"
        />
        <Command.List className="max-h-[50vh] overflow-y-auto py-2">
          <Command.Empty className="px-4 py-6 text-center text-soft">Nothing is called that.</Command.Empty>
          {found.length > 0 ? (
            <Command.Group heading="Cases" className={GROUP}>
              {found.map(({ id, title }) => (
                <Command.Item
                  key={id}
                  value={`${id} ${title}`}
                  className={ITEM}
                  onSelect={act(() => void navigate({ to: '/cases/$id', params: { id } }))}
                >
                  <span className="font-mono text-soft">{id}</span>
                  <span className="truncate">{title}</span>
                </Command.Item>
              ))}
            </Command.Group>
          ) : null}
          {subjects.map((subject) => (
            <Command.Group key={nameOf(subject)} heading={nameOf(subject)} className={GROUP}>
              {actionsFor(subject).map((action) => (
                <Command.Item
                  key={action.id}
                  value={`${action.name} ${nameOf(subject)} ${action.does}`}
                  className={ITEM}
                  onSelect={act(() => start(action, subject))}
                >
                  <span className="shrink-0">{action.name}</span>
                  <span className="truncate text-sm text-soft">{action.does}</span>
                  <kbd className="ml-auto font-mono text-xs text-soft">{action.key}</kbd>
                </Command.Item>
              ))}
            </Command.Group>
          ))}
          <Command.Group heading="Pages" className={GROUP}>
            {DESTINATIONS.map(({ to, name }) => (
              <Command.Item
                key={to}
                value={name}
                className={ITEM}
                onSelect={act(() => void navigate({ to }))}
              >
                {name}
              </Command.Item>
            ))}
          </Command.Group>
          <Command.Group heading="Look" className={GROUP}>
            {THEMES.map((theme) => (
              <Command.Item
                key={theme}
                value={`Theme: ${theme}`}
                className={ITEM}
                onSelect={act(() => setTheme(theme))}
              >
                Theme: {theme}
              </Command.Item>
            ))}
          </Command.Group>
        </Command.List>
      </Command>
    </Dialog>
  )
}
