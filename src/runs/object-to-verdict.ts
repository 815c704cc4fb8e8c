import type { Feedback } from '../personas/prompt-input.ts'
import type { Problem, Signal } from '../signals/finding.ts'
import { REGISTRY } from '../signals/registry.ts'
import { type SignalNames, spokenName } from '../signals/signal-names.ts'

const ORIGIN = 'the director'

/** Reasons not to accept a verdict as given; its sender is asked for it once more. */
export function objectToVerdict(
  said: Signal,
  problems: readonly Problem[],
  names: SignalNames,
): readonly Feedback[] {
  const refuter = REGISTRY.find((entry) => 'refutes' in entry && entry.refutes === said.name)
  const failed = refuter && spokenName(names, refuter.name)
  if (problems.some(({ code, type }) => code === 'SIGNAL_NOT_LAST' && type === failed)) {
    const text = `You said ${failed} in one message and ${said.type} in a later one. Decide, and end with one of them alone.`
    return [{ kind: 'finding', title: 'You gave two verdicts', origin: ORIGIN, text }]
  }
  if (said.name !== 'REVIEW_FAILED') return []
  const { issues = [], requiredFixes = [] } = said.body ?? {}
  if (issues.length > 0 || requiredFixes.length > 0) return []
  const text = `Nothing could be read below ${said.type}. Say it again: first the line with the verdict, and below it "Issues Found:" with one "- path:line: issue" for each. What stands above the verdict is not read.`
  return [{ kind: 'finding', title: 'Your verdict names nothing', origin: ORIGIN, text }]
}
