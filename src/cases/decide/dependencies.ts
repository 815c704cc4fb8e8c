import { dependenciesOf } from '../case.ts'
import { accept, type CommandOf, type Decision, entryOf, type Occasion, revise } from '../change.ts'
import { refuse } from '../refusal.ts'
import type { CaseView } from '../view.ts'
import { findLive, isRefusal } from './find.ts'
import { emptyToNone } from './update.ts'

export function decideDepend(view: CaseView, { id, on }: CommandOf<'depend'>, occasion: Occasion): Decision {
  if (id === on) {
    return refuse('SELF_DEPENDENCY', `${id} cannot depend on itself`, 'name another case')
  }
  const before = findLive(view, id)
  if (isRefusal(before)) return before
  const target = findLive(view, on)
  if (isRefusal(target)) return target
  if (dependenciesOf(before).includes(on)) {
    return refuse('InvalidValue', `${id} already depends on ${on}`, 'nothing needs to be done')
  }
  const path = view.waitPath(on, id, 'start')
  if (path) {
    return refuse(
      'CIRCULAR_DEPENDENCY',
      `${id} cannot wait for ${on}: ${[id, ...path].join(' → ')}`,
      'remove one edge of that path first: "axiom case undepend ID ON"',
      [id, ...path],
    )
  }
  const after = revise(before, occasion, { dependsOn: [...dependenciesOf(before), on] })
  return accept({ after, entries: [entryOf(occasion, 'update', `depends on ${on}`)] })
}

export function decideUndepend(
  view: CaseView,
  { id, on }: CommandOf<'undepend'>,
  occasion: Occasion,
): Decision {
  const before = findLive(view, id)
  if (isRefusal(before)) return before
  if (!dependenciesOf(before).includes(on)) {
    return refuse(
      'NotFound',
      `${id} does not depend on ${on}`,
      `it depends on: ${dependenciesOf(before).join(', ') || 'nothing'}`,
    )
  }
  const dependsOn = dependenciesOf(before).filter((other) => other !== on)
  const after = revise(before, occasion, { dependsOn: emptyToNone(dependsOn) })
  return accept({ after, entries: [entryOf(occasion, 'update', `no longer depends on ${on}`)] })
}
