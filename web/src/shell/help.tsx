import { Fragment } from 'react'
import type { Subject } from '../actions/action.ts'
import { ACTIONS } from '../actions/action-table.ts'
import { DESTINATIONS } from './destinations.ts'
import { Dialog } from './dialog.tsx'

type Row = readonly [keys: string, does: string]

const EVERYWHERE: readonly Row[] = [
  ['Ctrl K', 'find a case, a page or an action'],
  ...DESTINATIONS.map(({ key, name }) => [`g ${key}`, name] as const),
  ['j  k', 'next and previous row'],
  ['Enter', 'open the row'],
  ['1 … 9', 'choose an option of a question'],
  ['Esc', 'close what is open'],
  ['Ctrl Enter', 'send a form'],
  ['?', 'this page'],
]

const SECTIONS: readonly (readonly [title: string, rows: readonly Row[]])[] = [
  ['Everywhere', EVERYWHERE],
  ['The project', rowsOf('project')],
  ['An agent', rowsOf('agent')],
  ['A case', rowsOf('case')],
]

function rowsOf(kind: Subject['kind']): readonly Row[] {
  return ACTIONS.filter(({ of }) => of === kind).map(({ key, does }) => [key, does] as const)
}

export function Help({ close }: { readonly close: () => void }) {
  return (
    <Dialog label="Keys" close={close} wide>
      <section
        aria-label="All keys"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable without a mouse
        tabIndex={0}
        className="max-h-[76dvh] overflow-y-auto p-5 outline-none"
      >
        <h2 className="text-lg font-semibold">Keys</h2>
        <p className="mb-3 text-sm text-soft">
          Letters act on the row or card that has the focus, else on what the page is about.
        </p>
        <div className="gap-8 sm:columns-2">
          {SECTIONS.map(([title, rows]) => (
            <section key={title} className="mb-4 break-inside-avoid-column">
              <h3 className="mb-1 text-sm font-semibold text-soft">{title}</h3>
              <dl className="grid grid-cols-[5.5rem_1fr] gap-y-1">
                {rows.map(([keys, does]) => (
                  <Fragment key={`${keys} ${does}`}>
                    <dt>
                      <kbd className="rounded-md bg-raised px-1.5 py-0.5 font-mono text-xs">{keys}</kbd>
                    </dt>
                    <dd>{does}</dd>
                  </Fragment>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </section>
    </Dialog>
  )
}
