import { findSection, readSubject } from '../prompt-reading.ts'
import { listOf } from './critic.ts'
import type { Role } from './role.ts'

/** Advises, or gives up after three approaches if the playbook says so. */
export const expert: Role = ({ situation }, wish) => {
  const { prompt, taskId } = situation
  const request = /^# Assignment (\S+)/m.exec(prompt)?.[1] ?? taskId
  const [, asker = 'developer', task = taskId] =
    /^(\S+)(?: for (\S+))?/.exec(findSection(prompt, /request/i)?.origin ?? '') ?? []
  const question = readSubject(prompt, /request|question/i)
  const head = [`Requesting Agent: ${asker}`, `Task: ${task}`, `Question: ${question}`]
  if (wish.verdict === 'failed') {
    const attempts =
      'Attempts:\n1. reading the code: no answer\n2. reading the plan: no answer\n3. comparing both: no answer'
    const body = [...head, '', attempts, '', `Reason: ${wish.reason ?? 'the plan is silent'}`].join('\n')
    return [{ do: 'signal', line: 'EXPERT_UNSUCCESSFUL', task: request, body }]
  }
  const body = [
    ...head,
    '',
    'Recommendation:',
    'Take the simpler of the two and show it by a test.',
    '',
    listOf('Rationale', ['the plan asks for small steps']),
    '',
    listOf('Pitfalls Avoided', ['a choice that cannot be undone']),
    '',
    'Next Steps:',
    'Go on with the task.',
  ].join('\n')
  return [{ do: 'signal', line: 'EXPERT_ADVICE', task: request, body }]
}
