export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'wait' | 'accent'

const TEXT: Readonly<Record<Tone, string>> = {
  plain: 'text-soft',
  good: 'text-good',
  warn: 'text-warn',
  bad: 'text-bad',
  wait: 'text-wait',
  accent: 'text-accent',
}

/** A state, always as a symbol and a word: some readers cannot tell colours apart. */
export function Badge({
  tone = 'plain',
  sign,
  children,
}: {
  readonly tone?: Tone
  readonly sign?: string
  readonly children: React.ReactNode
}) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-md bg-raised px-1.5 text-xs font-medium ${TEXT[tone]}`}
    >
      {sign ? <span aria-hidden="true">{sign}</span> : null}
      {children}
    </span>
  )
}
