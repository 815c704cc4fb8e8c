import { useMemo } from 'react'
import type { CaseId } from '../../../src/server/contract.ts'
import { useRow, useRows } from '../state/use-rows.ts'
import type { SubjectOf } from './action.ts'
import { decisionAbout } from './subjects.ts'

/** The current row of a case, with its open decision. */
export function useCaseSubject(id: CaseId): SubjectOf<'case'> | undefined {
  const row = useRow('cases', id)
  const inbox = useRows('inbox')
  return useMemo(() => {
    if (row === undefined) return undefined
    const decision = decisionAbout(inbox, id)
    return { kind: 'case', row, ...(decision ? { decision } : {}) }
  }, [row, inbox, id])
}
