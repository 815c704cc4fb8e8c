import { describe, expect, it } from 'vitest'
import { Project, run } from './axiom.ts'

/** Colour, a window title, a bell, a carriage return that hides what stood before it, C1 and bidi controls. */
const HOSTILE = 'a\u001b[31mb\u001b]0;title\u0007c\u0007d\re\u009b31mf\u202eg\u2066h\u007fi\u0000'
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u

describe('Text of cases cannot steer the terminal', () => {
  it('wherever it is printed', async () => {
    const content = HOSTILE.replace('\u0000', '')
    const project = await Project.make(
      ['case', 'create', '--type', 'operation', '--content', content],
      [
        'case',
        'create',
        '--type',
        'task',
        '--parent',
        'op-001',
        '--content',
        content,
        '--criterion',
        content,
      ],
      ['case', 'update', 'op-001', '--meta', `${content}=${content}`, '--reason', content],
    )
    const commands = [
      ['case', 'claim', 'task-001', '--agent', content],
      ['case', 'list'],
      ['case', 'ready'],
      ['case', 'tree'],
      ['case', 'show', 'op-001'],
      ['case', 'show', 'task-001'],
      ['case', 'history', 'op-001'],
      ['case', 'history', 'task-001'],
      ['status'],
      ['case', 'claim', 'task-001', '--agent', 'someone else'],
      ['case', 'show', content],
      ['case', content],
      ['case', 'list', '--type', content],
      ['store', 'import', content],
      ['store', 'export', '-', '--json'],
    ]
    for (const argv of commands) {
      for (const more of [[], ['--json']]) {
        const { stdout, stderr } = await run(project.folder, [...argv, ...more])
        expect(stdout + stderr, argv.join(' ')).not.toMatch(STEERING)
      }
    }
    expect(await project.json('case', 'show', 'op-001')).toMatchObject({ content })
  })
})
