import { assignmentOf, findSection, firstLine, readSubject } from '../prompt-reading.ts'
import type { Role } from './role.ts'

/** Phases answered with prose; the others are answered with the plan. */
const TALK: Readonly<Record<string, string>> = {
  UNDERSTAND: 'The need is clear enough to go on; where it is silent I choose the simplest reading.',
  ANALYZE: 'I have looked at the files that this need touches; they have tests, and the change is additive.',
  DEBRIEF: 'The operation did what it was for; nothing of the need is left open.',
  PROPOSE: 'I propose two small parts: the work itself, then a page that tells how to use it.',
}

const PHASE = /\bphase[: ]+(UNDERSTAND|ANALYZE|PROPOSE|DECOMPOSE|VALIDATE|DEBRIEF)\b/i

/** Answers a planning phase; the plan is one fenced JSON value in the format of a plan file. */
export const planner: Role = ({ situation }) => {
  const phase = PHASE.exec(assignmentOf(situation.prompt))?.[1]?.toUpperCase()
  const need = readSubject(situation.prompt, /^the need\b|^need\b|^goal\b/i)
  const spec = findSection(situation.prompt, /specification/i)?.text
  const plan = planFor(need, spec === undefined ? [] : [firstLine(spec)])
  const answer = TALK[phase ?? ''] ?? `\`\`\`json\n${JSON.stringify(plan, null, 2)}\n\`\`\``
  return [
    {
      do: 'signal',
      tag: 'PHASE_COMPLETE',
      after: answer,
      ...(phase === undefined ? {} : { payload: phase }),
    },
  ]
}

/** Small, testable, acyclic: two operations, the second depending on the first. */
function planFor(need: string, covers: readonly string[]): Record<string, unknown> {
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
          { ...task('t-behaviour', `Add the behaviour: ${need}`, ['t-base']), covers },
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
