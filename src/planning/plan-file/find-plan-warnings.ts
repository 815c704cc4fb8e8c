import type { Plan, PlannedTask, PlanRemark } from './plan.ts'

/** A task beyond these limits is too large for one run of an agent. */
const CRITERIA_MAX = 8
const FILES_MAX = 10
const CONTENT_LENGTH_MAX = 2_000
/** Words that promise something untestable. */
const VAGUE =
  /\b(?:properly|correctly|nicely|good|better|improved?|user[- ]friendly|robust|fast|clean|etc|as needed|works?(?: well)?)\b/i
const MEASURE =
  /\d|["'`]|\b(?:refuse|return|show|print|reject|fail|throw|contain|equal|exit|respond|display)/i

/** Faults that do not stop a plan, but are worth a look before agents spend money on it. */
export function findPlanWarnings({ operations }: Plan): PlanRemark[] {
  const seen = new Map<string, string>()
  return operations.flatMap((operation, at) => {
    const place = `operations[${at}]`
    const none =
      operation.tasks.length === 0 ? [{ place, message: 'it has no tasks: nothing will be done' }] : []
    const ofTasks = operation.tasks.flatMap((task, below) => {
      const at = `${place}.tasks[${below}]`
      return [...sizeOf(task, at), ...vaguenessOf(task, at), ...duplicateOf(task.content, at, seen)]
    })
    return [
      ...none,
      ...duplicateOf(operation.content, place, seen),
      ...twice(operation.dependsOn, place),
      ...ofTasks,
    ]
  })
}

function sizeOf({ content, acceptanceCriteria, files, dependsOn }: PlannedTask, place: string): PlanRemark[] {
  const split = 'consider two tasks'
  return [
    ...(content.length > CONTENT_LENGTH_MAX
      ? [{ place, message: `${content.length} characters describe it; ${split}` }]
      : []),
    ...(acceptanceCriteria.length > CRITERIA_MAX
      ? [{ place, message: `it has ${acceptanceCriteria.length} criteria; ${split}` }]
      : []),
    ...(files.length > FILES_MAX ? [{ place, message: `it names ${files.length} files; ${split}` }] : []),
    ...twice(dependsOn, place),
  ]
}

function vaguenessOf({ acceptanceCriteria, verify }: PlannedTask, place: string): PlanRemark[] {
  const stated = acceptanceCriteria.filter((text) => text.trim() !== '')
  if (stated.length === 0)
    return verify.length > 0 ? [] : [{ place, message: 'no acceptance criterion says when it is done' }]
  const vague = stated.every((text) => VAGUE.test(text) && !MEASURE.test(text))
  return vague ? [{ place, message: 'no acceptance criterion can be tested as it is worded' }] : []
}

function duplicateOf(content: string, place: string, seen: Map<string, string>): PlanRemark[] {
  const words = content
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  const earlier = seen.get(words)
  if (earlier !== undefined) return [{ place, message: `it says the same as ${earlier}` }]
  seen.set(words, place)
  return []
}

function twice(dependsOn: readonly string[], place: string): PlanRemark[] {
  const again = dependsOn.filter((word, at) => dependsOn.indexOf(word) !== at)
  return [...new Set(again)].map((word) => ({
    place: `${place}.dependsOn`,
    message: `${word} is named twice`,
  }))
}
