export function PageHead({
  title,
  children,
}: {
  readonly title: string
  readonly children?: React.ReactNode
}) {
  return (
    <header className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <h1 className="text-xl font-semibold">{title}</h1>
      <div className="ml-auto flex flex-wrap items-center gap-2">{children}</div>
    </header>
  )
}
