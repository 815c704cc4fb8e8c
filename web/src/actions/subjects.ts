import type { CaseId, InboxRow } from '../../../src/server/contract.ts'
import type { RowStore } from '../state/row-store.ts'
import type { Subject } from './action.ts'

/** Elements that represent a subject name it in this attribute: `case:task-001`, `agent:echo-001`. */
const MARK = 'data-subject'
/** The subject of a whole page. */
const PAGE_MARK = 'data-page-subject'

function caseSubject(rows: RowStore, id: CaseId): Subject | undefined {
  const row = rows.row('cases', id)
  if (row === undefined) return undefined
  const decision = decisionAbout(rows.list('inbox'), id)
  return { kind: 'case', row, ...(decision ? { decision } : {}) }
}

/** The open decision about a case: its own, or the question that holds it. */
export function decisionAbout(inbox: readonly InboxRow[], id: CaseId): InboxRow | undefined {
  return (
    inbox.find((row) => row.id === id) ??
    inbox.find(({ kind, waiting }) => kind !== 'review' && waiting[0] === id)
  )
}

function agentSubject(rows: RowStore, agent: string): Subject | undefined {
  const row = rows.row('agents', agent)
  return row && { kind: 'agent', row }
}

/** The subjects of keys and palette: the focused one, else that of the page, and always the project. */
export function subjectsAtHand(rows: RowStore): readonly Subject[] {
  const focused = document.activeElement?.closest(`[${MARK}]`)?.getAttribute(MARK)
  const ofPage = document.querySelector(`[${PAGE_MARK}]`)?.getAttribute(PAGE_MARK)
  const project: Subject[] = rows.project ? [{ kind: 'project', project: rows.project }] : []
  return [...named(rows, focused ?? ofPage), ...project]
}

function named(rows: RowStore, name: string | null | undefined): readonly Subject[] {
  const [, kind, id = ''] = /^(case|agent):(.+)$/.exec(name ?? '') ?? []
  const subject =
    kind === 'agent' ? agentSubject(rows, id) : kind === 'case' ? caseSubject(rows, id) : undefined
  if (subject === undefined) return []
  return subject.kind === 'case'
    ? [subject, ...holdersOf(rows, Object.values(subject.row.holders))]
    : [subject]
}

function holdersOf(rows: RowStore, agents: readonly string[]): Subject[] {
  return agents.flatMap((agent) => agentSubject(rows, agent) ?? [])
}

export function nameOf(subject: Subject): string {
  switch (subject.kind) {
    case 'project':
      return subject.project.name
    case 'agent':
      return subject.row.agent
    case 'case':
      return subject.row.id
  }
}
