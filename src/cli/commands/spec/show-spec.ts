import { tellProgress } from '../../../canvas/spec-progress.ts'
import { descendantsOf } from '../../../cases/lineage.ts'
import { Failure } from '../../../platform/failure.ts'
import type { CaseRecord, Store } from '../../../store/store.ts'
import { type Context, print } from '../../context.ts'
import { withStore } from '../../project.ts'
import { specText } from '../../render/spec-text.ts'
import { findCase } from '../case/queries.ts'
import { readSpec } from './spec-document.ts'

/** No lineage of cases is deeper. */
const ANCESTORS_MAX = 100

/** The document of a directive, with the state of each region and how much of it is covered. */
export function showSpec(context: Context, id: string | undefined): Promise<void> {
  return withStore(context, 'spec', async (store, project) => {
    const directive = id === undefined ? await onlyDirective(store) : await directiveOf(store, id)
    const spec = await readSpec(context, store, project, directive)
    const cases = descendantsOf(await store.query({}), directive.id)
    const { canvas, progress } = tellProgress(spec, cases)
    const value = { id: directive.id, ...progress }
    print(context, value, () =>
      specText(context.colors, canvas, { directive: directive.id, dropped: progress.dropped }),
    )
  })
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
