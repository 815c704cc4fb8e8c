import { useId } from 'react'

export function Section({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="rounded-lg border border-line bg-surface p-4">
      <h2 id={id} className="mb-2 text-sm font-semibold text-soft">
        {title}
      </h2>
      {children}
    </section>
  )
}
