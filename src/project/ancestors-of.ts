import type { Case, CaseId } from '../cases/case.ts'
import type { Store } from '../store/store.ts'

/** From the parent upwards. */
export async function ancestorsOf(store: Pick<Store, 'query'>, subject: Case): Promise<Case[]> {
  const found: Case[] = []
  let parentId: CaseId | null = subject.parentId
  while (parentId !== null) {
    const [parent]: readonly Case[] = await store.query({ ids: [parentId] })
    if (!parent) break
    found.push(parent)
    parentId = parent.parentId
  }
  return found
}
