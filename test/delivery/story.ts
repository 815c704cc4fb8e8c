import { configSchema } from '../../src/config/schema.ts'
import { personEventContext } from '../../src/project/delivery/event-context.ts'
import { createExpert } from '../../src/project/experts.ts'
import { answerQuestion } from '../../src/project/interventions/answer-question.ts'
import type { Entry } from '../../src/sim/playbook.ts'
import type { Step } from '../../src/sim/step.ts'
import type { Vocabulary } from '../../src/vocabulary/vocabulary.ts'
import { Theatre } from './theatre.ts'

/** Red until somebody has repaired the state file, and whenever there is a greeting that does not greet. */
const CHECK = 'grep -q ready state.txt && (test ! -f greeting.txt || grep -q hello greeting.txt)'

export const say = (text: string): Step => ({ do: 'say', text })
export const complete: Step = { do: 'signal', tag: 'COMPLETE' }
export const work = (file: string, text: string): Step[] => [
  { do: 'edit', file, write: text },
  { do: 'commit', message: `feat: ${file}` },
]
const greet = (text: string): Step[] => [...work('greeting.txt', text), complete]

/** The agents that send the work back, once each. */
export interface Refusing {
  readonly critic: string
  readonly auditor: string
}

/**
 * A task without criteria is written out, meets a broken environment, needs an expert and a person, and is sent back
 * by the critic and by the auditor, in the order of the developer's iterations.
 */
function playbook(task: string, refusing: Refusing): Entry[] {
  const infra = `INFRA_BLOCKED: ${task}\n\nIssue: the state file says nothing\nCommand: ${CHECK}\nOutput: none\nEnvironment: local`
  const request =
    'EXPERT_REQUEST\nTarget Agent: greetings\nRequest Type: decision\n\n---DELEGATION PROMPT START---\nWhich greeting?\n---DELEGATION PROMPT END---'
  return [
    { role: 'analyst', steps: [{ do: 'play', criteria: ['greeting.txt contains "hello"'] }] },
    { role: 'developer', iteration: 1, steps: [say(infra)] },
    { role: 'developer', iteration: 2, steps: [say(request)] },
    { role: 'developer', iteration: 3, steps: [{ do: 'ask', question: 'By name, or not?' }] },
    { role: 'developer', iteration: 4, steps: greet('hello\n') },
    { role: 'developer', iteration: 5, steps: greet('hello world\n') },
    { role: 'developer', iteration: 6, steps: greet('hello world, by name\n') },
    {
      role: 'remediator',
      steps: [
        { do: 'edit', file: 'state.txt', write: 'ready\n' },
        { do: 'commit', message: 'fix: the state' },
        { do: 'play', reason: 'the state file' },
      ],
    },
    {
      role: 'critic',
      agent: refusing.critic,
      steps: [
        { do: 'play', verdict: 'failed', issues: [{ file: 'greeting.txt', line: 1, text: 'too short' }] },
      ],
    },
    { role: 'auditor', agent: refusing.auditor, steps: [{ do: 'play', verdict: 'failed' }] },
  ]
}

export interface Story {
  readonly theatre: Theatre
  readonly task: string
}

export async function openStory(vocabulary: Vocabulary, refusing: Refusing): Promise<Story> {
  const { prefix } = vocabulary.cases.task
  const isShared = prefix === vocabulary.cases.directive.prefix
  const directive = `${vocabulary.cases.directive.prefix}-001`
  const task = isShared ? `${prefix}-003` : `${prefix}-001`
  const theatre = await Theatre.open({
    vocabulary,
    files: { 'state.txt': 'broken\n' },
    config: {
      verification: [CHECK],
      review: { defaultMode: 'skip' },
      agents: { driver: 'sim', maxConcurrent: 1 },
    },
    cases: [
      { kind: 'create', type: 'directive', content: 'Greet people', as: 'd' },
      { kind: 'create', type: 'operation', content: 'Greetings', parentId: '$d', as: 'o' },
      { kind: 'create', type: 'task', parentId: '$o', content: 'Add a greeting' },
    ],
    entries: playbook(task, refusing),
  })
  const store = await theatre.store()
  await createExpert({ root: theatre.root, vocabulary, store }, directive, {
    name: 'greetings',
    gap: 'how people greet',
    supports: ['developer'],
    tasks: [],
    expertise: ['hello is always right'],
    triggers: [{ role: 'developer', when: 'a greeting is unclear' }],
  })
  return { theatre, task }
}

/** The person's one answer. */
export async function answerStory({ theatre, task }: Story): Promise<void> {
  const world = personEventContext(theatre.root, configSchema.parse({}))
  const request = { id: task, text: 'by name', by: 'user' }
  const answered = await answerQuestion(await theatre.store(), world, request)
  if (answered.kind !== 'answered') throw new Error(JSON.stringify(answered))
}
