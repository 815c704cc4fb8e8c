import { DESTINATIONS } from './destinations.ts'
import { Dialog } from './dialog.tsx'

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['Ctrl K', 'find a case, a page or an action'],
  ...DESTINATIONS.map(({ key, name }) => [`g ${key}`, name] as const),
  ['j  k', 'next and previous row'],
  ['Enter', 'open the row'],
  ['Esc', 'close what is open'],
  ['?', 'this page'],
]

export function Help({ close }: { readonly close: () => void }) {
  return (
    <Dialog label="Keys" close={close}>
      <div className="p-5">
        <h2 className="mb-3 text-lg font-semibold">Keys</h2>
        <dl className="grid grid-cols-[6rem_1fr] gap-y-1.5">
          {KEYS.map(([keys, does]) => (
            <div key={keys} className="contents">
              <dt>
                <kbd className="rounded-md bg-raised px-1.5 py-0.5 font-mono text-xs">{keys}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Dialog>
  )
}
