import { firstLine, sectionUnder } from '../prompt-reading.ts'
import type { Role } from './role.ts'

/** Phases in which the answer is talk; in the others it is the plan. */
const TALK: Readonly<Record<string, string>> = {
  UNDERSTAND: 'The need is clear enough to go on; where it is silent I choose the simplest reading.',
  ANALYZE: 'I have looked at the files that this need touches; they have tests, and the change is additive.',
  PROPOSE: 'I propose two small parts: the work itself, then a page that tells how to use it.',
}

/** Answers a planning phase; the plan is one JSON value in a fence, in the form of a plan file. */
export const planner: Role = ({ situation }) => {
  const phase = /\bphase\b[^A-Za-z]{0,10}(UNDERSTAND|ANALYZE|PROPOSE|DECOMPOSE|VALIDATE)\b/i.exec(
    situation.prompt,
  )
  const talk = TALK[phase?.[1]?.toUpperCase() ?? '']
  const need = firstLine(sectionUnder(situation.prompt, /need|goal|directive/i) || situation.prompt)
  const answer = talk ?? `\`\`\`json\n${JSON.stringify(planFor(need), null, 2)}\n\`\`\``
  return [{ do: 'signal', tag: 'PHASE_COMPLETE', after: answer }]
}

/** Small, testable, acyclic: two operations, the second behind the first. */
export function planFor(need: string): Record<string, unknown> {
  return {
    need,
    operations: [
      {
        key: 'op-work',
        content: `Do the work: ${need}`,
        acceptanceCriteria: ['The behaviour is shown by a test'],
        dependsOn: [],
        tasks: [
          task('t-base', `Lay the ground: ${need}`, []),
          task('t-behaviour', `Add the behaviour: ${need}`, ['t-base']),
        ],
      },
      {
        key: 'op-page',
        content: 'Tell people how to use it',
        acceptanceCriteria: ['A page names the behaviour'],
        dependsOn: ['op-work'],
        tasks: [task('t-page', 'Write the page that tells how to use it', [])],
      },
    ],
  }
}

function task(key: string, content: string, dependsOn: readonly string[]): Record<string, unknown> {
  return {
    key,
    content,
    acceptanceCriteria: [`${key} is shown by a test`],
    dependsOn,
    tags: [],
    files: [`lib/${key}.mjs`],
  }
}
