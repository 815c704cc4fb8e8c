import type { ButtonHTMLAttributes } from 'react'

type Tone = 'plain' | 'primary' | 'danger' | 'quiet'

const TONES: Readonly<Record<Tone, string>> = {
  plain: 'border-line bg-surface hover:bg-raised',
  primary: 'border-accent bg-accent text-on-accent hover:opacity-90',
  danger: 'border-bad text-bad bg-surface hover:bg-raised',
  quiet: 'border-transparent bg-transparent hover:bg-raised',
}

export function Button({
  tone = 'plain',
  className = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { readonly tone?: Tone }) {
  return (
    <button
      type="button"
      className={`inline-flex min-h-7 items-center gap-1.5 rounded-md border px-2.5 py-0.5 text-sm font-medium disabled:cursor-not-allowed disabled:opacity-60 ${TONES[tone]} ${className}`}
      {...rest}
    />
  )
}
