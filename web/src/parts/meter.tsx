/** A progress bar; unknown progress is an empty track, and the text beside it says so. */
export function Meter({
  label,
  percent,
  colour,
}: {
  readonly label: string
  readonly percent: number | undefined
  readonly colour?: string | undefined
}) {
  const shown = percent === undefined ? undefined : Math.max(0, Math.min(100, Math.round(percent)))
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(shown === undefined ? {} : { 'aria-valuenow': shown })}
      className="h-1.5 overflow-hidden rounded-full bg-raised"
    >
      <div
        className="h-full rounded-full bg-accent transition-[width]"
        style={{ width: `${shown ?? 0}%`, ...(colour ? { backgroundColor: colour } : {}) }}
      />
    </div>
  )
}
