import { useEffect, useRef } from 'react'

/** The browser's own dialog: it holds the focus, closes with Escape, and gives the focus back. */
export function Dialog({
  label,
  close,
  children,
}: {
  readonly label: string
  readonly close: () => void
  readonly children: React.ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
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
      className="m-auto mt-[12vh] w-[40rem] max-w-[92vw] rounded-lg border border-line bg-surface p-0 text-ink shadow-2xl backdrop:bg-black/50"
    >
      {children}
    </dialog>
  )
}
