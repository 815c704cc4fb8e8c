import { money, plural } from '../../parts/format.ts'
import { Meter } from '../../parts/meter.tsx'
import { useProject, useRows } from '../../state/use-rows.ts'

/** The figures of the whole project, in one line. */
export function Figures() {
  const project = useProject()
  const waiting = useRows('inbox').length
  if (!project || project.tasks.total === 0) return null
  const { tasks, slots, spend, forecastUsd, target } = project
  return (
    <section
      aria-label="Where the project stands"
      className="mb-4 grid grid-cols-2 gap-x-6 gap-y-3 rounded-lg border border-line bg-surface px-4 py-3 md:grid-cols-[2fr_1fr_1fr_1fr_1fr]"
    >
      <div className="col-span-2 md:col-span-1">
        <p className="mb-1.5 flex items-baseline gap-2">
          <span className="text-xl font-semibold tabular-nums">
            {tasks.done} of {tasks.total}
          </span>
          <span className="text-sm text-soft">
            landed on <code className="font-mono">{target}</code>
          </span>
        </p>
        <Meter label="Tasks landed" percent={(100 * tasks.done) / tasks.total} />
      </div>
      <Figure value={`${slots.used} of ${slots.total}`} name="slots in use" />
      <Figure value={String(tasks.ready)} name="ready to start" />
      <Figure
        value={String(waiting + tasks.failed)}
        name={tasks.failed > 0 ? `need you, ${plural(tasks.failed, 'failure')}` : 'need you'}
      />
      <Figure
        value={money(spend.costUsd)}
        name={forecastUsd === null ? 'spent' : `spent, ${money(forecastUsd)} forecast`}
      />
    </section>
  )
}

function Figure({ value, name }: { readonly value: string; readonly name: string }) {
  return (
    <p className="flex flex-col">
      <span className="text-xl font-semibold tabular-nums">{value}</span>
      <span className="text-sm text-soft">{name}</span>
    </p>
  )
}
