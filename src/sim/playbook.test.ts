import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chooseSteps, loadPlaybook, type Playbook, parsePlaybook } from './playbook.ts'
import type { Situation } from './situation.ts'

const SITUATION: Situation = {
  role: 'developer',
  taskId: 'task-001',
  taskKey: 't1',
  agent: 'echo-001',
  iteration: 2,
  workspace: '/w',
  prompt: 'do it',
  resumed: false,
}

describe('a playbook', () => {
  it.each([
    ['{', 'SIM_PLAYBOOK_NOT_JSON'],
    ['[]', 'playbook must be an object'],
    ['{}', 'playbook.entries is missing'],
    ['{"entries":[{}]}', 'playbook.entries[0].steps is missing'],
    ['{"entries":[{"steps":[{"do":"dance"}]}]}', 'playbook.entries[0].steps[0].do must be one of say, '],
    ['{"entries":[{"steps":[{"do":"say"}]}]}', 'playbook.entries[0].steps[0].text is missing'],
    ['{"entries":[{"steps":[{"do":"say","text":"x","loud":true}]}]}', 'steps[0].loud is not known'],
    ['{"entries":[{"steps":[{"do":"edit","file":"a"}]}]}', 'exactly one of write, append, replace, delete'],
    ['{"entries":[{"steps":[{"do":"signal"}]}]}', 'must have either tag or line'],
    ['{"entries":[{"steps":[{"do":"wait","ms":[9,1]}]}]}', 'must be a whole number or [least, most]'],
    ['{"entries":[{"steps":[{"do":"choose","between":[]}]}]}', 'must hold something to choose'],
    [
      '{"entries":[{"steps":[{"do":"repeat","times":2,"steps":[{"do":"say"}]}]}]}',
      'steps[0].steps[0].text is missing',
    ],
  ])('%s is refused: %s', (content, reason) => {
    expect(() => parsePlaybook(content)).toThrow(reason)
  })

  it('names every fault at once', () => {
    const content = '{"entries":[{"role":1,"steps":[{"do":"say"},{"do":"run"}]}]}'
    expect(() => parsePlaybook(content)).toThrow(/3 fault\(s\).*role.*steps\[0\].*steps\[1\]/)
  })

  it('that is not there is refused with its path', () => {
    expect(() => loadPlaybook('/nowhere/book.json')).toThrow(/SIM_PLAYBOOK_MISSING.*\/nowhere\/book\.json/)
  })
})

describe('the entry that is played', () => {
  const say = (text: string) => [{ do: 'say', text }] as const
  const choose = (...entries: Playbook['entries']) => chooseSteps({ entries }, SITUATION, () => 0)

  it('goes by what the prompt says and what the workspace holds', () => {
    const workspace = mkdtempSync(join(tmpdir(), 'axiom-playbook-'))
    onTestFinished(() => rmSync(workspace, { recursive: true, force: true }))
    writeFileSync(join(workspace, 'a.txt'), 'half done')
    const entries = [
      { told: 'something else', steps: say('told') },
      { lacks: { file: 'a.txt', text: 'half' }, steps: say('lacks') },
      { holds: { file: 'b.txt', text: '' }, steps: say('no such file') },
      { told: 'do it', holds: { file: 'a.txt', text: 'half' }, steps: say('this one') },
    ]
    expect(chooseSteps({ entries }, { ...SITUATION, workspace }, () => 0)).toEqual(say('this one'))
  })

  it('is the first that fits role, task, iteration and session', () => {
    expect(
      choose(
        { role: 'critic', steps: say('another role') },
        { tasks: ['t2'], steps: say('another task') },
        { iteration: 1, steps: say('another iteration') },
        { resumed: true, steps: say('another session') },
        { role: 'developer', tasks: ['t1'], iteration: [2, 3], steps: say('this one') },
        { steps: say('too late') },
      ),
    ).toEqual(say('this one'))
  })

  it('may name the task by its id', () => {
    expect(choose({ tasks: ['task-001'], steps: say('by id') })).toEqual(say('by id'))
  })

  it('is the usual play of the role when none fits', () => {
    expect(choose({ role: 'critic', steps: [] })).toEqual([{ do: 'play' }])
  })
})
