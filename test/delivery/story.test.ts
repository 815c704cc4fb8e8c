import { afterEach, describe, expect, it } from 'vitest'
import { configSchema } from '../../src/config/schema.ts'
import { createExpert } from '../../src/director/experts.ts'
import { answerQuestion } from '../../src/director/intervene/answer-question.ts'
import { personsWordWorld } from '../../src/director/word-world.ts'
import type { Entry } from '../../src/sim/playbook.ts'
import type { Step } from '../../src/sim/step.ts'
import { AXIOM } from '../../src/vocabulary/axiom.ts'
import { SWARM } from '../../src/vocabulary/swarm.ts'
import type { Vocabulary } from '../../src/vocabulary/vocabulary.ts'
import { sh } from '../git/scratch.ts'
import { expectGolden } from '../golden.ts'
import { Theatre } from './theatre.ts'

let theatre: Theatre
afterEach(() => theatre.close())

const CHECK = 'grep -q ready state.txt && (test ! -f greeting.txt || grep -q hello greeting.txt)'
const say = (text: string): Step => ({ do: 'say', text })
const work = (text: string): Step[] => [
  { do: 'edit', file: 'greeting.txt', write: text },
  { do: 'commit', message: 'feat: a greeting' },
]

/** Two rounds of rework, one expert, one repair, one question: in the order of the developer's iterations. */
function playbook(task: string, complete: Step): Entry[] {
  const infra = `INFRA_BLOCKED: ${task}\n\nIssue: the state file says nothing\nCommand: ${CHECK}\nOutput: none\nEnvironment: local`
  const request =
    'EXPERT_REQUEST\nTarget Agent: greetings\nRequest Type: decision\n\n---DELEGATION PROMPT START---\nWhich greeting?\n---DELEGATION PROMPT END---'
  return [
    { role: 'developer', iteration: 1, steps: [say(infra)] },
    { role: 'developer', iteration: 2, steps: [say(request)] },
    { role: 'developer', iteration: 3, steps: [{ do: 'ask', question: 'By name, or not?' }] },
    { role: 'developer', iteration: 4, steps: [...work('hello\n'), complete] },
    { role: 'developer', iteration: 5, steps: [...work('hello world\n'), complete] },
    { role: 'developer', iteration: 6, steps: [...work('hello world, by name\n'), complete] },
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
      iteration: 1,
      agent: 'critic-001',
      steps: [
        { do: 'play', verdict: 'failed', issues: [{ file: 'greeting.txt', line: 1, text: 'too short' }] },
      ],
    },
    { role: 'auditor', agent: 'auditor-001', steps: [{ do: 'play', verdict: 'failed' }] },
  ]
}

async function perform(vocabulary: Vocabulary): Promise<string> {
  const prefix = vocabulary.cases.task.prefix
  const ids =
    prefix === 'task' ? { dir: 'dir-001', task: 'task-001' } : { dir: `${prefix}-001`, task: `${prefix}-003` }
  theatre = await Theatre.open({
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
      {
        kind: 'create',
        type: 'task',
        parentId: '$o',
        content: 'Add a greeting',
        metadata: { acceptanceCriteria: ['greeting.txt contains "hello"'], fileHints: ['greeting.txt'] },
      },
    ],
    entries: playbook(ids.task, { do: 'signal', tag: 'COMPLETE' }),
  })
  const store = await theatre.store()
  await createExpert({ root: theatre.root, vocabulary, store }, ids.dir, {
    name: 'greetings',
    gap: 'how people greet',
    supports: ['developer'],
    tasks: [],
    expertise: ['hello is always right'],
    triggers: [{ role: 'developer', when: 'a greeting is unclear' }],
  })
  expect(await theatre.run()).toBe('nothing-left')
  expect((await theatre.delivery(ids.task)).state).toBe('asking')
  const world = personsWordWorld(theatre.root, configSchema.parse({}))
  const answered = await answerQuestion(store, world, { id: ids.task, text: 'by name', by: 'user' })
  expect(answered).toMatchObject({ kind: 'answered' })
  expect(await theatre.run()).toBe('nothing-left')
  return ids.task
}

describe('the whole line', () => {
  it.each([
    ['axiom', AXIOM],
    ['swarm', SWARM],
  ] as const)(
    'with two rounds of rework, an expert, a repair and a question ends on the target: %s',
    async (name, vocabulary) => {
      const id = await perform(vocabulary)
      const moves = await theatre.moves(id)
      expectGolden(`delivery/story-${name}.txt`, `${moves.join('\n')}\n`)
      expect(await theatre.task(id)).toMatchObject({ status: 'done' })
      expect(await theatre.delivery(id)).toMatchObject({
        state: 'landed',
        rounds: { review: 1, audit: 1 },
        hadStop: true,
      })
      const told = theatre.developersPrompts(id)
      expect(told.get(3)).toContain('Take the simpler of the two')
      expect(told.get(4)).toContain('by name')
      expect(told.get(5)).toContain('greeting.txt:1: too short')
      expect(told.get(6)).toContain('greeting.txt:1: too short')
      expect(told.get(6)).toContain('it is not shown by any test')
      // Published to the user's own branch: the repair first, then the work, one commit each.
      expect(theatre.show('greeting.txt')).toBe('hello world, by name')
      expect(theatre.show('state.txt')).toBe('ready')
      expect(sh(theatre.root, 'git log --format=%s main').split('\n')).toEqual([
        expect.stringMatching(new RegExp(`^feat: Add a greeting #${id} @`)),
        expect.stringMatching(/^fix: repair what "Add a greeting" met /),
        'first',
      ])
    },
  )
})
