import { useEffect, useRef } from 'react'

/** The browser's own dialog: it traps the focus, closes with Escape, and restores the focus. */
export function Dialog({
  label,
  close,
  children,
  wide = false,
}: {
  readonly label: string
  readonly close: () => void
  readonly children: React.ReactNode
  readonly wide?: boolean
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
    // Browsers focus the scrolling part; the first field of a form is more useful.
    dialog.current?.querySelector<HTMLElement>('input, textarea, select')?.focus()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={dialog}
      aria-label={label}
      onClose={close}
      onClick={({ target }) => {
        if (target === dialog.current) dialog.current.close()
      }}
      className={`m-auto mt-[10dvh] ${wide ? 'w-[56rem]' : 'w-[40rem]'} max-w-[94vw] rounded-lg border border-line bg-surface p-0 outline-none text-ink shadow-2xl backdrop:bg-black/50`}
    >
      {children}
    </dialog>
  )
}
