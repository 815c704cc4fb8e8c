import { expect, it } from 'vitest'
import type { Entry } from '../../src/sim/playbook.ts'
import type { Step } from '../../src/sim/step.ts'
import { ALONE, developer, lastLine, linesOf, type PlannedTask, RunScene, summary, writes } from './scene.ts'

/** Made once for the tests that only need a project. */
const SHARED = new RunScene()
let opened: Promise<RunScene> | undefined
function shared(): Promise<RunScene> {
  opened ??= RunScene.open({ tasks: ['one'] }, SHARED)
  return opened
}

const asks = (question: string): Step => ({ do: 'signal', tag: 'PENDING', payload: question })
const seeks = (...options: string[]): Step => ({
  do: 'signal',
  line: 'SEEKING_DIVINE_CLARIFICATION',
  body: [
    'Agent: developer',
    '',
    'Question: Which format is meant?',
    '',
    'Context:',
    'Both are used.',
    '',
    'Options Considered:',
    ...options.map((option, i) => `${i + 1}. ${option}`),
    '',
  ].join('\n'),
})

interface Asking extends PlannedTask {
  /** What its developer says when nobody has answered yet. */
  readonly says?: Step
  /** What it must have been told before it goes on by itself; without it, it waits for a person. */
  readonly told?: string
  readonly after: 'done' | 'blocked' | 'review'
}

/** Every way in which somebody may be asked, and what becomes of it where nobody can be. */
const KINDS: readonly Asking[] = [
  { key: 'default', says: asks('Which port? (default: 8080)'), told: '8080', after: 'done' },
  { key: 'no-default', says: asks('Which port is free?'), after: 'blocked' },
  { key: 'marked-option', says: seeks('comma: as before', 'tab: new (default)'), told: 'tab', after: 'done' },
  { key: 'no-marked-option', says: seeks('comma: as before', 'tab: new'), after: 'blocked' },
  { key: 'blocked', says: { do: 'signal', tag: 'BLOCKED', payload: 'no key' }, after: 'blocked' },
  {
    key: 'incomplete',
    says: { do: 'signal', line: 'TASK_INCOMPLETE', body: 'Needed: the sample file\n' },
    after: 'blocked',
  },
  { key: 'vague', acceptanceCriteria: [], verify: [], after: 'blocked' },
  { key: 'reviewed', tags: ['careful'], after: 'review' },
]

function playedBy({ key, says, told }: Asking): Entry[] {
  if (!says) return [developer(key, ...writes(`${key}.txt`))]
  const goesOn = {
    role: 'developer',
    tasks: [key],
    told: told ?? 'what a person said',
    steps: writes(`${key}.txt`),
  }
  return [goesOn, developer(key, says)]
}

it('where nobody can be asked a question takes its default, or its task waits and the exit code tells; answers finish it', async () => {
  const scene = await RunScene.open({
    tasks: KINDS.map(({ says: _says, told: _told, after: _after, ...task }) => task),
    config: { review: { defaultMode: 'skip', labels: { careful: 'per-task' } } },
    entries: [
      ...KINDS.flatMap(playedBy),
      { role: 'analyst', told: 'what a person said', steps: [{ do: 'play', confidence: 'HIGH' }] },
      { role: 'analyst', steps: [{ do: 'play', confidence: 'LOW' }] },
    ],
  })
  const ran = await scene.run(...ALONE)
  const standing = Object.values(await scene.tasks())
  expect(Object.fromEntries(KINDS.map(({ key }, i) => [key, standing[i]]))).toEqual(
    Object.fromEntries(KINDS.map(({ key, after }) => [key, after])),
  )
  expect([ran.code, lastLine(ran)]).toEqual([5, summary({ done: 2, blocked: 5, waiting: 1 })])
  // A person finds every question in one place, and nothing of it was waited for.
  const inbox = JSON.parse(await scene.ok('inbox', '--json')) as unknown[]
  expect(inbox).toHaveLength(6)

  await scene.answerAll('what a person said')
  await scene.ok('review', 'task-008', 'approve')
  const again = await scene.run(...ALONE)
  expect([again.code, lastLine(again)]).toEqual([0, summary({ done: 8 })])
})

it('a conflict that only a person could settle is put off at once, as its time limit would do', async () => {
  const scene = await RunScene.open({
    tasks: ['change', 'remove'],
    files: { 'shared.txt': 'as it was\n' },
  })
  const meet: Step = { do: 'barrier', path: scene.gate('both'), arrivals: 2 }
  const claims: Step[] = [
    { do: 'commit', message: 'feat: its part #task @echo' },
    { do: 'signal', tag: 'COMPLETE' },
  ]
  scene.play([
    developer('change', meet, { do: 'edit', file: 'shared.txt', append: 'and more\n' }, ...claims),
    developer('remove', meet, { do: 'edit', file: 'shared.txt', delete: true }, ...claims),
  ])
  const ran = await scene.run(...ALONE, '--agents', '2')
  expect([ran.code, lastLine(ran)]).toEqual([0, summary({ done: 1 })])
  const both = await scene.cases({ ids: ['task-001', 'task-002'] })
  expect(both.map(({ type }) => type).toSorted()).toEqual(['deferred', 'task'])
})

it.each([
  ['a flag', ['--non-interactive'], {}],
  ['a variable', [], { AXIOM_NON_INTERACTIVE: '1' }],
  ['a CI environment', [], { CI: 'true' }],
])('on a terminal nobody is asked with %s', async (_, flags, variables) => {
  const scene = await shared()
  const run = scene.atTerminal(['--autopilot', '--json', ...flags], variables)
  const ran = await run.ended
  expect(ran.code, ran.stdout).toBe(0)
  const text = ran.stdout.slice(ran.stdout.indexOf('{'))
  expect(linesOf({ stdout: text }).at(-1)).toMatchObject({ type: 'summary', failed: 0, blocked: 0 })
  expect(ran.stdout).not.toContain('◆')
})
