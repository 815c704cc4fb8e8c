import { describe, expect, it } from 'vitest'
import { createContext } from '../../src/cli/context.ts'
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

  it('even where a command prints it as it is: on a real terminal only colours pass', () => {
    let printed = ''
    const stdout = { isTTY: true, write: (text: string) => (printed += text) }
    const { stdin } = process
    const context = createContext(
      {},
      { stdin, stdout, stderr: stdout, env: {}, cwd: '/' },
      '/',
      () => undefined,
    )
    context.out(`\u001b[1mbold\u001b[22m ${HOSTILE}`)
    context.err('\u001b[2Jcleared')
    const bare = ['1', '22', '31'].reduce((text, code) => text.replaceAll(`\u001b[${code}m`, ''), printed)
    expect(bare).not.toMatch(STEERING)
    expect(printed).toContain('\u001b[1mbold\u001b[22m a')
  })
})
