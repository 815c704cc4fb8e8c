import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectGolden } from '../golden.ts'
import { Project, removeFolder, run } from './axiom.ts'

const task = (content: string, ...more: string[]) =>
  ['case', 'create', '--type', 'task', '--parent', 'op-001', '--content', content, ...more] as const
const below = (parent: string, type: string, content: string) =>
  ['case', 'create', '--type', type, '--parent', parent, '--content', content] as const
const move = (id: string, status: string) => ['case', 'update', id, '--status', status] as const

/** One case of every type and one task of every status. */
const STORY: readonly (readonly string[])[] = [
  ['case', 'create', '--type', 'directive', '--content', 'When I read, I want a blog, so that I learn'],
  below('dir-001', 'draft', 'Blog post system'),
  below('draft-001', 'research', 'Which markdown parser?'),
  below('draft-001', 'pending', 'Host the comments ourselves?'),
  below('draft-001', 'operation', 'View a post'),
  below('dir-001', 'draft', 'Newsletter'),
  ['case', 'defer', 'draft-002', '--reason', 'after the first release'],
  task('Post schema', '--criterion', 'A post has a title', '--criterion', 'A post has a date', '--tag', 'db'),
  task('Read one post', '--depends', 'task-001'),
  task('Post page'),
  task('Fail'),
  task('Time out'),
  task('Under review'),
  task('Blocked'),
  task('Late'),
  ['case', 'complete', 'task-001', '--result', 'merged by hand'],
  ['case', 'claim', 'task-003', '--agent', 'echo-001'],
  ['case', 'claim', 'task-004', '--agent', 'echo-002'],
  move('task-004', 'failed'),
  ['case', 'claim', 'task-005', '--agent', 'echo-003'],
  move('task-005', 'timeout'),
  ['case', 'claim', 'task-006', '--agent', 'echo-004'],
  move('task-006', 'review'),
  ['case', 'block', 'task-007', '--reason', 'needs the key'],
  ['case', 'depend', 'task-008', 'task-003'],
  [
    ...below('task-003', 'discovery', 'The parser wants a trailing newline\nand says so late'),
    '--meta',
    'scope=global',
  ],
  [...below('task-003', 'discovery', 'Old finding'), '--meta', 'scope=local'],
  move('disc-002', 'outdated'),
]

let project: Project

beforeAll(async () => {
  project = await Project.make(...STORY)
  return removeFolder(project.folder)
})

describe('What people see:', () => {
  it.each([
    ['tree.txt', 'case tree'],
    ['tree-of-one.txt', 'case tree task-003'],
    ['list.txt', 'case list'],
    ['list-of-some.txt', 'case list --type task --status pending'],
    ['ready.txt', 'case ready'],
    ['show.txt', 'case show task-001'],
    ['show-waiting.txt', 'case show task-008'],
    ['show-claimed.txt', 'case show task-003'],
    ['history.txt', 'case history task-001'],
    ['history-of-deferred.txt', 'case history draft-002'],
    ['status.txt', 'status'],
    ['verify.txt', 'store verify'],
  ])('%s', async (name, argv) => {
    expectGolden(`cli/${name}`, project.normal(await project.ok(...argv.split(' '))))
  })

  it('colours by type and status where colour is wanted', async () => {
    const { stdout } = await run(project.folder, ['case', 'tree'], { FORCE_COLOR: '1' })
    expectGolden('cli/tree-in-colour.txt', stdout.replaceAll('\u001b', '␛'))
  })

  it('no colour where it is not wanted', async () => {
    for (const env of [{}, { FORCE_COLOR: '1', NO_COLOR: '1' }, { FORCE_COLOR: '0' }]) {
      const { stdout } = await run(project.folder, ['case', 'tree'], env as Record<string, string>)
      expect(stdout).not.toContain('\u001b')
    }
    const { stdout } = await run(project.folder, ['case', 'list', '--json'], { FORCE_COLOR: '1' })
    expect(stdout).not.toContain('\u001b')
  })

  it('errors', async () => {
    const commands = [
      'case show task-404',
      'case complete task-008',
      'case claim task-003 --agent echo-009',
      'case transition dir-001 draft --reason r',
      'case depend task-003 task-008',
      'case clam task-001',
      'case list --type plan',
      'case create --type draft',
    ]
    const told: string[] = []
    for (const command of commands) {
      const { code, stderr } = await project.run(...command.split(' '))
      told.push(`$ axiom ${command}\n${stderr}(exit ${code})\n`)
    }
    expectGolden('cli/errors.txt', project.normal(told.join('\n')))
  })

  it('help', async () => {
    const told = await Promise.all(['case --help', 'case claim --help'].map(helpOf))
    expectGolden('cli/help.txt', told.join('\n'))
  })

  it('an empty project', async () => {
    const empty = await Project.make()
    const told: string[] = []
    for (const command of [
      'status',
      'case list',
      'case ready',
      'case tree',
      'store verify',
      'store export -',
    ]) {
      told.push(`$ axiom ${command}\n${await empty.ok(...command.split(' '))}`)
    }
    expectGolden('cli/empty.txt', empty.normal(told.join('\n')))
  })

  it('damage: a torn tail by whoever cuts it, a corrupt line by everybody', async () => {
    const hurt = await Project.make(...STORY.slice(0, 3))
    const journal = join(hurt.folder, '.axiom/cases.jsonl')
    appendFileSync(journal, '{"id":"task-009","rev')
    const first = await hurt.run('case', 'list')
    const second = await hurt.run('case', 'list')
    expect(second).toMatchObject({ code: 0, stdout: first.stdout, stderr: '' })
    const [line = ''] = hurt.journal().split('\n')
    appendFileSync(journal, `${line.replace('blog', 'clog')}\n${line}\n`)
    const third = await hurt.run('case', 'list')
    const verified = await hurt.run('store', 'verify')
    expect([third.code, verified.code]).toEqual([0, 1])
    const told = [first.stderr, third.stderr, verified.stdout, await hurt.ok('status')].join('\n')
    expectGolden('cli/damage.txt', hurt.normal(told))
  })
})

async function helpOf(command: string): Promise<string> {
  return `$ axiom ${command}\n${await project.ok(...command.split(' '))}`
}
