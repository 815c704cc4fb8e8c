import { useEffect, useState } from 'react'

/** Counts back and forward navigation: as a key, it resets a field to the value in the address. */
export function useReturns(): number {
  const [returns, setReturns] = useState(0)
  useEffect(() => {
    const count = () => setReturns((before) => before + 1)
    addEventListener('popstate', count)
    return () => removeEventListener('popstate', count)
  }, [])
  return returns
}
