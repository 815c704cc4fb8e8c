import { anchorsOf } from '../../../canvas/anchors-of.ts'
import { followEdits } from '../../../canvas/follow-edits.ts'
import type { Case, CaseId } from '../../../cases/case.ts'
import { taskMetadata } from '../../../cases/metadata.ts'
import { fields } from '../../../events/task-standing.ts'
import { lastLanding } from '../../../integration/landing-record.ts'
import type { Criterion } from '../../../signals/body-values.ts'
import type { CaseRecord, Store } from '../../../store/store.ts'
import type { Context } from '../../context.ts'
import type { LandedProject } from '../../with-ground.ts'
import { readSpec } from '../spec/spec-document.ts'
import type { LineOrigin } from './blame-line.ts'

/** A line and its origins, as far as they can be traced. */
export interface Explanation extends LineOrigin {
  readonly landedTask: { readonly id: CaseId; readonly content: string; readonly status: string } | null
  /** When its change landed, and whether the user's own branch has it; null where that is not recorded. */
  readonly landed: { readonly commit: string; readonly at: string; readonly published: boolean } | null
  /** The criteria that the auditor found met, those first whose evidence names the file. */
  readonly criteria: readonly { readonly text: string; readonly evidence: string | null }[]
  readonly operation: { readonly id: CaseId; readonly content: string } | null
  readonly region: {
    readonly specFile: string
    readonly start: number
    readonly end: number
    readonly text: string
  } | null
  readonly need: { readonly id: CaseId; readonly content: string } | null
  readonly review: readonly Reviewed[]
}

export interface Reviewed {
  readonly role: string
  readonly signal: string
  readonly agent: string
  readonly at: string
  readonly commit: string | null
}

const LINEAGE_MAX = 100

/** Traces a line from its commit to its task, criteria, region of the specification and need. */
export async function explainLine(
  context: Context,
  project: LandedProject,
  origin: LineOrigin,
): Promise<Explanation> {
  const [task] = origin.task === null ? [] : await project.store.query({ ids: [origin.task] })
  const nothing = {
    landedTask: null,
    landed: null,
    criteria: [],
    operation: null,
    region: null,
    need: null,
    review: [],
  }
  if (!task) return { ...origin, ...nothing }
  const lineage = await lineageOf(project.store, task)
  const operation = lineage.find(({ type }) => type === 'operation')
  const directive = lineage.find(({ type }) => type === 'directive')
  return {
    ...origin,
    landedTask: { id: task.id, content: task.content, status: task.status },
    landed: landedOf(task),
    criteria: await criteriaOf(project.store, task, origin.file),
    operation: operation ? { id: operation.id, content: operation.content } : null,
    region: directive ? await regionOf(context, project, directive, lineage) : null,
    need: directive ? { id: directive.id, content: needOf(directive) } : null,
    review: reviewsOf(task),
  }
}

function landedOf(task: CaseRecord): Explanation['landed'] {
  const landed = lastLanding(task)?.landed
  return landed ? { commit: landed.commit, at: landed.at, published: landed.published } : null
}

/** The case itself, then what it stands under. */
async function lineageOf(store: Store, subject: CaseRecord): Promise<CaseRecord[]> {
  const lineage = [subject]
  for (let last = subject; last.parentId !== null && lineage.length < LINEAGE_MAX; ) {
    const [parent]: readonly CaseRecord[] = await store.query({ ids: [last.parentId] })
    if (!parent) break
    lineage.push(parent)
    last = parent
  }
  return lineage
}

function needOf({ content, metadata }: Case): string {
  return typeof metadata.jtbd === 'string' && metadata.jtbd !== '' ? metadata.jtbd : content
}

async function criteriaOf(store: Store, task: Case, file: string): Promise<Explanation['criteria']> {
  const audited = await auditedCriteria(store, task)
  const stated = taskMetadata(task.metadata).acceptanceCriteria ?? []
  const shown = stated.map((text) => ({
    text,
    evidence:
      audited.find(({ criterion }) => criterion.includes(text) || text.includes(criterion))?.evidence ?? null,
  }))
  const names = (evidence: string | null): number => (evidence?.includes(file) ? 0 : 1)
  return shown.toSorted((a, b) => names(a.evidence) - names(b.evidence))
}

/** The auditor's full statement on each criterion, from the store. */
async function auditedCriteria(store: Store, { metadata }: Case): Promise<readonly Criterion[]> {
  const { digest } = fields(fields(metadata.words).auditor)
  const bytes = typeof digest === 'string' ? await store.getBlob(digest) : undefined
  if (bytes === undefined) return []
  const { criteria } = fields(fields(JSON.parse(Buffer.from(bytes).toString('utf8'))).body)
  return Array.isArray(criteria)
    ? (criteria as Criterion[]).filter((one) => typeof one.criterion === 'string')
    : []
}

/** The region of the specification that the nearest case of the lineage covers. */
async function regionOf(
  context: Context,
  project: LandedProject,
  directive: CaseRecord,
  lineage: readonly CaseRecord[],
): Promise<Explanation['region']> {
  if (!lineage.some(({ specRef }) => specRef !== undefined)) return null
  const { specFile, text, anchored } = await readSpec(context, project.store, project, directive)
  const { anchors } = followEdits(anchored, text, anchorsOf(lineage, specFile))
  const [nearest] = lineage.flatMap(({ id }) => anchors.filter(({ caseId }) => caseId === id))
  if (!nearest) return null
  const { start, end } = nearest
  return { specFile, start, end, text: text.slice(start, end) }
}

function reviewsOf({ metadata }: Case): Reviewed[] {
  const { verdicts } = fields(metadata.delivery)
  if (!Array.isArray(verdicts)) return []
  return verdicts.map((verdict) => {
    const { sender, signal, agent, at, commit } = fields(verdict)
    return {
      role: String(sender),
      signal: String(signal),
      agent: String(agent),
      at: String(at),
      commit: typeof commit === 'string' ? commit : null,
    }
  })
}
