import { Link } from '@tanstack/react-router'
import type { WeatherRow } from '../../../../src/server/contract.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { useRows } from '../../state/use-rows.ts'

const LOOKS: Readonly<Record<WeatherRow['sky'], { tone: Tone; sign: string; word: string }>> = {
  clear: { tone: 'good', sign: '○', word: 'clear' },
  'same-file': { tone: 'warn', sign: '◐', word: 'same file' },
  'same-lines': { tone: 'bad', sign: '●', word: 'same lines' },
}

/** The conflicts of running tasks if they were merged now. */
export function Weather() {
  const rows = useRows('weather')
  if (rows.length === 0) return null
  return (
    <section aria-labelledby="weather" className="mt-6">
      <h2 id="weather" className="mb-2 text-sm font-semibold text-soft">
        Conflict weather
      </h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-2">
        {rows.map(({ pair, tasks, sky, files }) => (
          <li key={pair} className="rounded-md border border-line bg-surface px-3 py-2">
            <Badge tone={LOOKS[sky].tone} sign={LOOKS[sky].sign}>
              {LOOKS[sky].word}
            </Badge>{' '}
            {tasks.map((id) => (
              <Link key={id} to="/cases/$id" params={{ id }} className="mr-2 font-mono text-accent underline">
                {id}
              </Link>
            ))}
            {files.length > 0 ? (
              <span className="block truncate font-mono text-xs text-soft" title={files.join('\n')}>
                {files.join(', ')}
              </span>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  )
}
