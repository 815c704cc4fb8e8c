import type { CaseId } from '../../cases/case.ts'
import { count, fields } from '../../events/task-standing.ts'
import { Failure } from '../../platform/failure.ts'
import { listRefs } from '../../platform/git/repository-operations.ts'
import type { CaseRecord, Store } from '../../store/store.ts'
import type { CaseDetail, CaseSummary, DeliveryStanding, KeptWork } from '../contract.ts'
import type { CaseShelf } from '../picture/case-shelf.ts'
import { showSpend } from '../picture/summarise-case.ts'
import type { CodeGround } from './code-reader.ts'
import { text, textOrNull } from './loose-values.ts'
import { readCriteria } from './read-criteria.ts'
import { numberOf } from './read-diff.ts'
import { listLogs } from './read-log.ts'
import { readProof } from './read-proof.ts'
import { readRuns } from './read-runs.ts'
import { readThread } from './read-thread.ts'

export interface CaseGround {
  readonly store: Store
  readonly shelf: CaseShelf
  readonly projectFolder: string
  readonly code: CodeGround
}

/** Fields that the rest of the answer shows better, or that only AXIOM uses. */
const TOLD_ELSEWHERE: readonly string[] = [
  'acceptanceCriteria',
  'delivery',
  'words',
  'run',
  'spend',
  'budget',
  'orders',
]
const LINEAGE_MAX = 100
const DEPENDENTS_MAX = 1_000

/** Everything about one case except files, read when a page opens it. */
export async function readCase(ground: CaseGround, id: CaseId): Promise<CaseDetail> {
  const { store, shelf } = ground
  const [record] = await store.query({ ids: [id] })
  if (!record || record.deletedAt !== undefined) throw new Failure('NotFound', `there is no case ${id}`)
  // The shelf is updated only ten times a second, but a case must be found right after it was made.
  shelf.take(record)
  const history = await store.history(id)
  const [waits, criteria, thread, proof, runs, work, logs] = await Promise.all([
    store.explain(id),
    readCriteria(store, record),
    readThread(store, record, history),
    readProof(store, record),
    readRuns(ground.projectFolder, id),
    readWork(ground.code, id),
    listLogs(ground.projectFolder, id),
  ])
  const dependents = [...shelf.all()].filter(({ dependsOn }) => dependsOn?.includes(id))
  return {
    summary: soundSummary(shelf, id),
    content: record.content,
    waits,
    lineage: summaries(shelf, lineageOf(shelf, record)),
    children: summaries(shelf, record.childIds),
    dependencies: summaries(shelf, record.dependsOn ?? []),
    dependents: summaries(
      shelf,
      dependents.slice(0, DEPENDENTS_MAX).map((one) => one.id),
    ),
    criteria,
    history,
    runs,
    work,
    thread,
    delivery: standingOf(record),
    proof,
    spend: {
      own: showSpend(shelf.spend.ownOf(id)),
      total: showSpend(shelf.spend.totalOf(id)),
      budget: budgetOf(shelf, id),
    },
    logs,
    fields: Object.fromEntries(
      Object.entries(record.metadata).filter(([name]) => !TOLD_ELSEWHERE.includes(name)),
    ),
  }
}

function soundSummary(shelf: CaseShelf, id: CaseId): CaseSummary {
  const summary = shelf.summaryOf(id)
  if (!summary) throw new Failure('NotFound', `there is no case ${id}`)
  return summary
}

function summaries(shelf: CaseShelf, ids: readonly CaseId[]): CaseSummary[] {
  return ids.map((id) => shelf.summaryOf(id)).filter((summary) => summary !== undefined)
}

/** From the directive down to the parent. */
function lineageOf(shelf: CaseShelf, { parentId }: CaseRecord): CaseId[] {
  const ids: CaseId[] = []
  for (let at = parentId; at !== null && ids.length < LINEAGE_MAX; at = shelf.get(at)?.parentId ?? null) {
    ids.unshift(at)
  }
  return ids
}

function standingOf({ type, metadata }: CaseRecord): DeliveryStanding | null {
  const { state, resume, rounds, commit, wait } = fields(metadata.delivery)
  if (type !== 'task' || typeof state !== 'string') return null
  const { kind, until, fallback } = fields(wait)
  return {
    state,
    returnsTo: Array.isArray(resume) ? resume.filter((name): name is string => typeof name === 'string') : [],
    rounds: Object.fromEntries(Object.entries(fields(rounds)).map(([name, value]) => [name, count(value)])),
    commit: textOrNull(commit),
    wait:
      typeof kind === 'string' && typeof until === 'string'
        ? { kind, until, fallback: textOrNull(fallback) }
        : null,
  }
}

async function readWork({ git, integration }: CodeGround, id: CaseId): Promise<KeptWork[]> {
  const refs = [
    ...(await listRefs(git, integration, `refs/axiom/runs/${id}`).catch(() => new Map<string, string>())),
  ]
  return refs
    .map(([ref, commit]) => ({ number: numberOf(ref), commit, ref }))
    .sort((a, b) => a.number - b.number)
}

/** The limits that were set on the case itself. */
function budgetOf(shelf: CaseShelf, id: CaseId): Readonly<Record<string, number>> {
  const [self] = shelf.spend.lineageOf(id)
  return { ...self?.budget?.limits }
}

export function discoveriesOf(shelf: CaseShelf) {
  return [...shelf.all()]
    .filter(({ type }) => type === 'discovery')
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
    .map(({ id, content, status, createdAt, metadata }) => ({
      id,
      content,
      status,
      scope: metadata.scope === 'global' ? ('global' as const) : ('local' as const),
      category: text(metadata.category),
      impact: text(metadata.impact),
      validated: metadata.validated === true,
      task: textOrNull(metadata.sourceTaskId),
      agent: textOrNull(metadata.sourceAgentId),
      at: createdAt,
    }))
}
