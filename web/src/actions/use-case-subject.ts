import { useMemo } from 'react'
import type { CaseId } from '../../../src/server/contract.ts'
import { useRow, useRows } from '../state/use-rows.ts'
import type { SubjectOf } from './action.ts'
import { decisionAbout } from './subjects.ts'

/** A case as it stands now, with what is asked of a person about it. */
export function useCaseSubject(id: CaseId): SubjectOf<'case'> | undefined {
  const row = useRow('cases', id)
  const inbox = useRows('inbox')
  return useMemo(() => {
    if (row === undefined) return undefined
    const decision = decisionAbout(inbox, id)
    return { kind: 'case', row, ...(decision ? { decision } : {}) }
  }, [row, inbox, id])
}
