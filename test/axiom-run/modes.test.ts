import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Step } from '../../src/sim/step.ts'
import { pathWithout } from '../demo/demo-process.ts'
import { ALONE, developer, lastLine, linesOf, RunScene, summary, writes } from './scene.ts'

const DOWN_AND_ENTER = '\u001b[B\r'

describe('on a terminal', () => {
  it('autopilot says what is ready, how many agents, what it will cost, and begins only with a yes', async () => {
    const scene = await RunScene.open({ tasks: ['one', 'two'] })
    const refused = scene.atTerminal(['--autopilot', '--agents', '2'])
    await refused.until('Start autopilot with 2 ready tasks and 2 agents at once?')
    expect(refused.shown()).toContain('Expected for 2 tasks')
    refused.type('n')
    expect((await refused.ended).code).toBe(130)
    expect(await scene.tasks()).toEqual({ 'task-001': 'pending', 'task-002': 'pending' })
    const agreed = scene.atTerminal(['--autopilot', '--agents', '2'])
    await agreed.until('Start autopilot')
    agreed.type('y')
    expect([(await agreed.ended).code, await scene.tasks()]).toEqual([
      0,
      { 'task-001': 'done', 'task-002': 'done' },
    ])
  })

  it('without autopilot a person chooses the task, and it stops after that one', async () => {
    const scene = await RunScene.open({ tasks: ['one', 'two', 'three'] })
    const run = scene.atTerminal([])
    await run.until('Which task is to be worked on?')
    run.type(DOWN_AND_ENTER)
    const { code } = await run.ended
    expect(await scene.tasks()).toEqual({ 'task-001': 'pending', 'task-002': 'done', 'task-003': 'pending' })
    // The next one is for the person to choose.
    expect(code).toBe(5)
  })
})

describe('what a sprint takes up', () => {
  it('only tasks with one of the tags, and the summary is about them', async () => {
    const scene = await RunScene.open({
      tasks: [
        { key: 'one', tags: ['ui'] },
        'two',
        { key: 'three', tags: ['api', 'slow'] },
        { key: 'four', tags: ['slow'] },
      ],
    })
    const ran = await scene.run(...ALONE, '--tag', 'ui', '--tag', 'api')
    expect([ran.code, lastLine(ran)]).toEqual([0, summary({ done: 2 })])
    expect(await scene.tasks()).toEqual({
      'task-001': 'done',
      'task-002': 'pending',
      'task-003': 'done',
      'task-004': 'pending',
    })
  })

  it('as many as were asked for, and what is left is no fault', async () => {
    const scene = await RunScene.open({ tasks: ['one', 'two', 'three', 'four'] })
    const ran = await scene.run(...ALONE, '--until', 'count:2', '--agents', '3')
    expect([ran.code, lastLine(ran)]).toEqual([0, summary({ done: 2, waiting: 2 })])
    const more = await scene.run(...ALONE, '--until', 'count:1')
    expect([more.code, lastLine(more)]).toEqual([0, summary({ done: 3, waiting: 1 })])
  })

  it('nothing new when its time is over, but what was begun is finished', async () => {
    const scene = await RunScene.open({ tasks: ['one', 'two'] })
    scene.play([developer('one', { do: 'wait', ms: 3_000 }, ...writes('one.txt'))])
    const ran = await scene.run(...ALONE, '--until', 'duration:2s', '--agents', '1')
    expect([ran.code, lastLine(ran)]).toEqual([0, summary({ done: 1, waiting: 1 })])
    expect(await scene.tasks()).toEqual({ 'task-001': 'done', 'task-002': 'pending' })
  })
})

describe('how many agents', () => {
  const meet = (scene: RunScene, atMostMs?: number): Step => ({
    do: 'barrier',
    path: scene.gate('meeting'),
    arrivals: 3,
    ...(atMostMs === undefined ? {} : { atMostMs }),
  })

  it('as many at once as were asked for', async () => {
    const scene = await RunScene.open({ tasks: ['one', 'two', 'three'] })
    // Nobody gets through before three have come.
    scene.play(['one', 'two', 'three'].map((key) => developer(key, meet(scene), ...writes(`${key}.txt`))))
    const ran = await scene.run(...ALONE, '--agents', '3')
    expect([ran.code, lastLine(ran)]).toEqual([0, summary({ done: 3 })])
  })

  it('and never more', async () => {
    const scene = await RunScene.open({ tasks: ['one', 'two'] })
    const present = scene.gate('present')
    // Whoever meets another leaves a trace.
    const alone: Step = {
      do: 'run',
      command: `mkdir ${present} || touch ${scene.gate('met')}; sleep 0.3; rmdir ${present}`,
    }
    scene.play(['one', 'two'].map((key) => developer(key, alone, ...writes(`${key}.txt`))))
    const ran = await scene.run(...ALONE, '--agents', '1')
    expect([ran.code, lastLine(ran)]).toEqual([0, summary({ done: 2 })])
    expect(readdirSync(scene.gates)).toEqual([])
  })
})

it('a red target begins nothing (5) unless its repair is wanted, which then goes first', async () => {
  const scene = await RunScene.open({ tasks: ['one'] })
  scene.configure({ verification: ['test -e green'] })
  const refused = await scene.run(...ALONE)
  expect(refused.code).toBe(5)
  expect(refused.stderr).toContain('TARGET_RED')
  expect(await scene.tasks()).toEqual({ 'task-001': 'pending' })
  scene.play([developer('task-002', ...writes('green'))])
  const repaired = await scene.run(...ALONE, '--repair')
  expect([repaired.code, lastLine(repaired)]).toEqual([0, summary({ done: 2 })])
  const claims = linesOf(repaired).filter(({ type }) => type === 'task:claimed' || type === 'case:claimed')
  expect(claims.map(({ id }) => id)[0]).toBe('task-002')
})

/** An agent as anybody may write one: it works where it stands and says what the protocol wants. */
const AGENT = `
import { execSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
const { AXIOM_ROLE: role, AXIOM_TASK_ID: task, AXIOM_AGENT: agent } = process.env
const git = 'git -c user.name=A -c user.email=a@example.com'
if (role === 'developer') {
  writeFileSync('by-program.txt', 'done')
  execSync(git + ' add -A && ' + git + ' commit -qm "feat: a file #' + task + ' @' + agent + '"')
  console.log('<axiom>COMPLETE</axiom>')
}
if (role === 'critic') console.log('REVIEW_PASSED: ' + task)
if (role === 'auditor')
  console.log('AUDIT_PASSED: ' + task + '\\n\\nVerification Results:\\n- one.txt is there: VERIFIED - ls\\n')
`

it('a program as agent, without a sandbox: 4 before anything begins, and it works where that is allowed', async () => {
  const scene = await RunScene.open({ tasks: ['one'] })
  const program = join(scene.top, 'agent.mjs')
  writeFileSync(program, AGENT)
  scene.configure({ agents: { driver: 'command', command: ['node', program] }, sandbox: {} })
  const { path, remove } = pathWithout('bwrap', 'unshare')
  onTestFinished(remove)
  const env = { ...scene.environment, PATH: path, XDG_STATE_HOME: join(scene.top, 'state') }
  const refused = await scene.begin(ALONE, env).ended
  expect([refused.code, await scene.tasks()]).toEqual([4, { 'task-001': 'pending' }])
  expect(refused.stderr).toContain('--allow-unsandboxed')
  const allowed = await scene.begin([...ALONE, '--allow-unsandboxed'], env).ended
  expect([allowed.code, lastLine(allowed)]).toEqual([0, summary({ done: 1 })])
  expect(scene.landed()).toContain('by-program.txt')
})
