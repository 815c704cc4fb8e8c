import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { useState } from 'react'
import type { PersonCommand } from '../../../src/server/contract.ts'
import { setTheme, THEMES } from '../state/theme.ts'
import { useCommand } from '../state/use-command.ts'
import { useProject, useRows } from '../state/use-rows.ts'
import { DESTINATIONS } from './destinations.ts'
import { Dialog } from './dialog.tsx'

const CASES_SHOWN_MAX = 20
const ITEM = 'flex gap-3 rounded-md px-3 py-1.5 data-[selected=true]:bg-raised'
const GROUP = 'px-2 pb-2 text-xs text-soft [&_[cmdk-item]]:text-base [&_[cmdk-item]]:text-ink'

export function Palette({ close }: { readonly close: () => void }) {
  const [text, setText] = useState('')
  const navigate = useNavigate()
  const { send } = useCommand()
  const project = useProject()
  const cases = useRows('cases')
  const wanted = text.toLowerCase()
  // Filtered here: twenty thousand rows are too many for the palette to score.
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
  const steering: readonly (readonly [name: string, command: PersonCommand])[] = [
    project?.paused ? ['Resume the project', { kind: 'resume' }] : ['Pause the project', { kind: 'pause' }],
    project?.mode === 'autopilot'
      ? ['Switch to semi-auto', { kind: 'mode', mode: 'semi-auto' }]
      : ['Switch to autopilot', { kind: 'mode', mode: 'autopilot' }],
  ]
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
          <Command.Group heading="Actions" className={GROUP}>
            {steering.map(([name, command]) => (
              <Command.Item key={name} value={name} className={ITEM} onSelect={act(() => void send(command))}>
                {name}
              </Command.Item>
            ))}
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
