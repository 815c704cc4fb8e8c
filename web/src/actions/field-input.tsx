import { useId } from 'react'
import type { Choice, Field } from './action.ts'

const BOX = 'w-full rounded-md border border-line bg-ground px-2 py-1'
/** A longer list of suggestions does not help, and is slow in a browser. */
const SUGGESTIONS_MAX = 30

interface InputProps {
  readonly field: Field
  readonly value: string
  readonly choices: readonly Choice[]
  readonly set: (value: string) => void
}

export function FieldInput(props: InputProps) {
  const { field } = props
  const id = useId()
  if (field.kind === 'flag') return <Flag {...props} />
  if (field.kind === 'many') return <Many {...props} />
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {field.label}
        {field.required || field.kind === 'choice' ? null : (
          <span className="font-normal text-soft"> (optional)</span>
        )}
      </label>
      <Box {...props} id={id} />
      {field.hint ? (
        <p id={`${id}-hint`} className="mt-0.5 text-xs text-soft">
          {field.hint}
        </p>
      ) : null}
    </div>
  )
}

function Box({ field, value, choices, set, id }: InputProps & { readonly id: string }) {
  const common = {
    id,
    className: BOX,
    required: field.required === true,
    ...(field.hint ? { 'aria-describedby': `${id}-hint` } : {}),
  }
  switch (field.kind) {
    case 'prose':
    case 'lines':
      return (
        <textarea
          {...common}
          rows={field.kind === 'prose' ? 4 : 2}
          value={value}
          onChange={({ target }) => set(target.value)}
        />
      )
    case 'choice':
      return (
        <select {...common} value={value} onChange={({ target }) => set(target.value)}>
          {choices.length === 0 ? <option value="">none</option> : null}
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )
    case 'case':
      return (
        <>
          <input
            {...common}
            list={`${id}-list`}
            autoComplete="off"
            spellCheck={false}
            className={`${BOX} font-mono`}
            placeholder="An id, or words of its title"
            value={value}
            onChange={({ target }) => set(target.value)}
          />
          <datalist id={`${id}-list`}>
            {matching(choices, value).map((choice) => (
              <option key={choice.value} value={choice.value}>
                {choice.label}
              </option>
            ))}
          </datalist>
        </>
      )
    default:
      return <input {...common} value={value} onChange={({ target }) => set(target.value)} />
  }
}

function matching(choices: readonly Choice[], text: string): readonly Choice[] {
  const wanted = text.toLowerCase()
  return choices
    .filter(({ value, label }) => `${value} ${label}`.toLowerCase().includes(wanted))
    .slice(0, SUGGESTIONS_MAX)
}

function Flag({ field, value, set }: InputProps) {
  return (
    <label className="flex items-center gap-2">
      <input
        type="checkbox"
        checked={value === 'yes'}
        onChange={({ target }) => set(target.checked ? 'yes' : '')}
      />
      {field.label}
    </label>
  )
}

function Many({ field, value, choices, set }: InputProps) {
  const chosen = value.split('\n').filter((one) => one !== '')
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">
        {field.label} <span className="font-normal text-soft">(optional)</span>
      </legend>
      <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
        {choices.map((choice) => (
          <label key={choice.value} className="flex items-baseline gap-2" title={choice.label}>
            <input
              type="checkbox"
              className="shrink-0 translate-y-0.5"
              checked={chosen.includes(choice.value)}
              onChange={({ target }) =>
                set(
                  choices
                    .map((one) => one.value)
                    .filter((one) => (one === choice.value ? target.checked : chosen.includes(one)))
                    .join('\n'),
                )
              }
            />
            <span>
              <span className="font-medium">{choice.value}</span>{' '}
              <span className="block text-xs text-soft">{choice.label}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
