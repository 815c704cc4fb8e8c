/** Strokes on a grid of sixteen; drawn here because no font has them all. */
const STROKES = {
  work: 'M2.5 2.5h4.5v4.5h-4.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5h-4.5zM9 9h4.5v4.5H9z',
  cases: 'M2.5 3.5h2M7 3.5h6.5M5 8h1.5M9 8h4.5M5 12.5h1.5M9 12.5h4.5M3 3.5v9h1',
  inbox: 'M2.5 9.5 4.5 3h7l2 6.5v3.5h-11zM2.5 9.5H6a2 2 0 0 0 4 0h3.5',
  queue: 'M2.5 4h6M2.5 8h9M2.5 12h6M9.5 5.5 12 8l-2.5 2.5',
  health: 'M1.5 8.5H4l2-5 3.5 9 2-4h3',
  copy: 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1',
} as const

export type IconName = keyof typeof STROKES

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      className="size-4 shrink-0 fill-none stroke-current stroke-[1.4]"
    >
      <path d={STROKES[name]} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
