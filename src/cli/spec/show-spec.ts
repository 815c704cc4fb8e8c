import { annotationsOf, type Canvas, paintCanvas } from '../../canvas/canvas.ts'
import { followEdits } from '../../canvas/follow-edits.ts'
import { descendantsOf } from '../../cases/lineage.ts'
import { Failure } from '../../platform/failure.ts'
import type { CaseRecord, Store } from '../../store/store.ts'
import { findCase } from '../commands/case/queries.ts'
import { type Context, print } from '../context.ts'
import { withStore } from '../project.ts'
import { specText } from '../render/spec-text.ts'
import { anchorsOf } from './anchors.ts'
import { readSpec } from './spec-document.ts'

/** No lineage of cases is deeper. */
const ANCESTORS_MAX = 100
const PERCENT_DIGITS = 1

/** The document of a directive, with the state of each region and how much of it is covered. */
export function showSpec(context: Context, id: string | undefined): Promise<void> {
  return withStore(context, 'spec', async (store, project) => {
    const directive = id === undefined ? await onlyDirective(store) : await directiveOf(store, id)
    const spec = await readSpec(context, store, project, directive)
    const cases = descendantsOf(await store.query({}), directive.id)
    const { anchors, orphaned } = followEdits(spec.anchored, spec.text, anchorsOf(cases, spec.specFile))
    const canvas = paintCanvas(spec.text, cases, anchors)
    const value = {
      id: directive.id,
      specFile: spec.specFile,
      edited: spec.anchored !== spec.text,
      satisfied: canvas.satisfied,
      coverage: rounded(canvas.coverage),
      regions: annotationsOf(canvas).map((region, at) => ({
        ...region,
        cases: canvas.regions[at]?.caseIds ?? [],
      })),
      gaps: canvas.gaps,
      orphanCases: canvas.orphanCases,
      orphanRegions: canvas.orphanRegions.map((stretch) => ({ specFile: spec.specFile, ...stretch })),
      dropped: orphaned,
    }
    print(context, value, () =>
      specText(context.colors, canvas, { directive: directive.id, dropped: orphaned }),
    )
  })
}

function rounded(coverage: Canvas['coverage']): Record<string, number> {
  return Object.fromEntries(
    Object.entries(coverage).map(([state, percent]) => [state, Number(percent.toFixed(PERCENT_DIGITS))]),
  )
}

async function onlyDirective(store: Store): Promise<CaseRecord> {
  const directives = await store.query({ type: 'directive' })
  const [first, ...others] = directives
  if (first && others.length === 0) return first
  if (!first)
    throw new Failure('NotFound', 'there is no directive yet', {
      hint: 'make one with its spec: "axiom plan --from FILE --yes"',
    })
  throw new Failure('USAGE', `there are ${directives.length} directives`, {
    hint: `name one: ${directives.map(({ id }) => id).join(', ')}`,
  })
}

async function directiveOf(store: Store, id: string): Promise<CaseRecord> {
  let subject = await findCase(store, id)
  for (let depth = 0; subject.type !== 'directive' && depth < ANCESTORS_MAX; depth += 1) {
    if (subject.parentId === null) break
    subject = await findCase(store, subject.parentId)
  }
  if (subject.type === 'directive') return subject
  throw new Failure('NotFound', `${id} stands under no directive, so it has no spec`, {
    hint: '"axiom case tree" shows what stands under what',
  })
}
