import { useStanding } from '../state/use-rows.ts'

export function ConnectionBanner() {
  const standing = useStanding()
  if (standing.kind === 'open' || standing.kind === 'connecting') return null
  return (
    <div role="alert" className="sticky top-0 z-30 bg-warn px-4 py-2 text-center font-medium text-ground">
      {standing.kind === 'lost'
        ? 'The connection to AXIOM is lost. What you see is as it was then; trying again…'
        : `${standing.message} Open the address that "axiom serve" printed.`}
    </div>
  )
}
