import { useEffect, useState } from 'react'

/** How often somebody went back or forth: a field that begins with what the address says begins anew then. */
export function useReturns(): number {
  const [returns, setReturns] = useState(0)
  useEffect(() => {
    const count = () => setReturns((before) => before + 1)
    addEventListener('popstate', count)
    return () => removeEventListener('popstate', count)
  }, [])
  return returns
}
