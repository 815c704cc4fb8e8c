/** Says that there is nothing to show, why, and what to type next. */
export function EmptyState({
  title,
  children,
  command,
}: {
  readonly title: string
  readonly children?: React.ReactNode
  readonly command?: string
}) {
  return (
    <div className="rounded-lg border border-dashed border-line bg-surface px-6 py-10 text-center">
      <p className="text-lg font-semibold">{title}</p>
      {children ? <p className="mt-1 text-soft">{children}</p> : null}
      {command ? (
        <code className="mt-4 inline-block rounded-md bg-raised px-3 py-1.5 font-mono text-sm">
          {command}
        </code>
      ) : null}
    </div>
  )
}
