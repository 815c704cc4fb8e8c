import type { ButtonHTMLAttributes } from 'react'

type Tone = 'plain' | 'primary' | 'danger' | 'quiet'
type Size = 'normal' | 'small' | 'icon'

const TONES: Readonly<Record<Tone, string>> = {
  plain: 'border-line bg-surface hover:bg-raised',
  primary: 'border-accent bg-accent text-on-accent hover:opacity-90',
  danger: 'border-bad text-bad bg-surface hover:bg-raised',
  quiet: 'border-transparent bg-transparent hover:bg-raised',
}
const SIZES: Readonly<Record<Size, string>> = {
  normal: 'min-h-7 px-2.5 py-0.5 text-sm',
  small: 'min-h-6 px-1.5 text-xs',
  icon: 'min-h-6 px-1 text-soft',
}

export function Button({
  tone = 'plain',
  size = 'normal',
  className = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { readonly tone?: Tone; readonly size?: Size }) {
  return (
    <button
      type="button"
      className={`inline-flex items-center gap-1.5 rounded-md border font-medium whitespace-nowrap disabled:cursor-not-allowed disabled:opacity-60 ${TONES[tone]} ${SIZES[size]} ${className}`}
      {...rest}
    />
  )
}
