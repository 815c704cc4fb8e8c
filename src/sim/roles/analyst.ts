import { readSubject } from '../prompt-reading.ts'
import type { Role } from './role.ts'

const TESTABLE = ['The behaviour is shown by a test', 'The existing tests pass']

/** Turns a vague task into one that can be tested. */
export const analyst: Role = ({ situation, criteria }, wish) => {
  const original = readSubject(situation.prompt, /^(?:the )?(?:task|work|idea)\b/i)
  // Untestable criteria, returned unchanged, would send the task to an analyst again. Those of a playbook are
  // intended.
  const more = wish.criteria ? [] : TESTABLE
  const wanted = new Set([...criteria.map(({ text }) => text), ...more])
  // The confidence must follow the signal without a blank line.
  const text = [
    `EXPANDED_TASK_SPECIFICATION: ${situation.taskId}`,
    `Confidence: ${wish.confidence ?? 'HIGH'}`,
    '',
    `Original: ${original}`,
    '',
    'Expanded Specification:',
    `${original}. The change is small, stands in a file of its own and comes with a test.`,
    '',
    'Acceptance Criteria:',
    ...[...wanted].map((criterion) => `- [ ] ${criterion}`),
    '',
    'Technical Approach:',
    'A pure function and a test beside it.',
    '',
    'Target Files:',
    `- lib/${situation.taskId}.mjs`,
  ].join('\n')
  return [{ do: 'say', text }]
}
