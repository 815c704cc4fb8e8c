import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectGolden } from '../golden.ts'
import { type CaseJson, Project, run, temporaryFolder } from './axiom.ts'

const SPEC = `# Blog

Readers see posts. Writers write posts.

- Comments are moderated.
`

const PLAN = {
  need: 'When I read, I want a blog, so that I learn',
  spec: SPEC,
  operations: [
    {
      key: 'read',
      content: 'View posts',
      tasks: [
        {
          key: 't1',
          content: 'Post page',
          acceptanceCriteria: ['A post shows its title'],
          dependsOn: ['t2'],
          covers: ['Readers see posts.'],
        },
        { key: 't2', content: 'Post schema', acceptanceCriteria: ['A post has 2 fields'], tags: ['db'] },
      ],
    },
    {
      key: 'write',
      content: 'Write posts',
      dependsOn: ['read'],
      covers: ['Writers write posts.'],
      tasks: [{ key: 't3', content: 'Editor', verify: ['npm test'], files: ['src/editor.ts'] }],
    },
  ],
}

const KEYS = { read: 'op-001', t1: 'task-001', t2: 'task-002', write: 'op-002', t3: 'task-003' }

const specOf = (project: Project) => join(project.folder, '.axiom/specs/dir-001.md')

describe('axiom plan --from', () => {
  it('makes the cases and the spec, and prints the ids of the keys', async () => {
    const project = await Project.make()
    const made = await project.json('plan', '--from', project.file('plan.json', PLAN), '--yes')
    expect(made).toEqual({ directive: 'dir-001', specFile: 'specs/dir-001.md', keys: KEYS })
    expect(readFileSync(specOf(project), 'utf8')).toBe(SPEC)
    expect(readdirSync(join(project.folder, '.axiom/specs'))).toEqual(['dir-001.md'])
    const task = await project.json('case', 'show', 'task-001')
    expect(task).toMatchObject({ dependsOn: ['task-002'], specRef: { specFile: 'specs/dir-001.md' } })
    const ready = await project.json<CaseJson[]>('case', 'ready')
    expect(ready.map(({ id }) => id)).toEqual(['task-002'])
  })

  it('makes the experts that it names, for the tasks that they are for', async () => {
    const project = await Project.make()
    const expert = {
      name: 'typesetting',
      knows: 'how posts are set',
      expertise: ['titles are never hyphenated'],
      supports: ['developer'],
      tasks: ['t1'],
      askWhen: ['a title does not fit'],
    }
    await project.json('plan', '--from', project.file('plan.json', { ...PLAN, experts: [expert] }), '--yes')
    const file = join(project.folder, '.axiom/agents/experts/typesetting.md')
    expect(readFileSync(file, 'utf8')).toContain('Tasks: task-001')
    expect(await project.json('case', 'show', 'dir-001')).toMatchObject({
      metadata: { experts: ['typesetting'] },
    })
    const faulty = [
      { ...expert, name: 'rules' },
      { ...expert, tasks: ['t9'], supports: ['critic'] },
    ]
    const refused = await project.run(
      'plan',
      '--from',
      project.file('bad.json', { ...PLAN, experts: faulty }),
    )
    expect(refused.stderr).toContain('experts[0].name')
    expect(refused.stderr).toContain('experts[1].supports')
  })

  it('counts on from the cases there are, a second plan included', async () => {
    const project = await Project.make()
    const file = project.file('plan.json', PLAN)
    await project.ok('plan', '--from', file, '--yes')
    const { keys } = await project.json<{ keys: object }>('plan', '--from', file, '--yes')
    expect(keys).toEqual({ read: 'op-003', t1: 'task-004', t2: 'task-005', write: 'op-004', t3: 'task-006' })
    expect(await project.json('case', 'show', 'task-004')).toMatchObject({
      specRef: { specFile: 'specs/dir-002.md' },
    })
  })

  it('speaks the vocabulary of the project', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, '.swarm'))
    writeFileSync(join(folder, 'plan.json'), JSON.stringify(PLAN))
    const { code, stdout } = await run(folder, ['plan', '--from', 'plan.json', '--yes', '--json'])
    const made = JSON.parse(stdout) as { directive: string; keys: Record<string, string> }
    expect([code, made.directive]).toEqual([0, 'idea-001'])
    expect(readFileSync(join(folder, '.swarm/specs/idea-001.md'), 'utf8')).toBe(SPEC)
    const shown = await run(folder, ['case', 'show', made.keys.t1 ?? '', '--json'])
    expect(JSON.parse(shown.stdout)).toMatchObject({ specRef: { specFile: 'specs/idea-001.md' } })
  })

  it('shows people the tree, the faults, and what would be made', async () => {
    const project = await Project.make()
    const file = project.file('plan.json', PLAN)
    const bad = project.file('bad.json', {
      need: '',
      operations: [
        {
          key: 'a',
          content: 'A',
          tasks: [{ key: 'b', content: 'B', dependsOn: ['a', 'gone'] }, { key: 'b' }],
        },
      ],
    })
    const told: string[] = []
    for (const argv of [
      ['plan', '--from', bad, '--yes'],
      ['plan', '--from', file],
      ['plan', '--from', file, '--yes'],
      ['plan', 'When I read, I want a blog'],
      ['plan'],
    ]) {
      const { code, stdout, stderr } = await project.run(...argv)
      told.push(`$ axiom ${argv.join(' ')}\n${stdout}${stderr}(exit ${code})\n`)
    }
    expectGolden('cli/plan.txt', project.normal(told.join('\n')))
  })

  it('changes nothing when the plan is invalid or nobody says yes', async () => {
    const project = await Project.make()
    const bad = project.file('bad.json', {
      ...PLAN,
      operations: [{ key: 'a', content: 'A', dependsOn: ['a'] }],
    })
    const refused = await project.run('plan', '--from', bad, '--yes', '--json')
    expect([refused.code, refused.stdout]).toEqual([2, ''])
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'USAGE_PLAN' } })
    const unasked = await project.run('plan', '--from', project.file('plan.json', PLAN))
    expect([unasked.code, unasked.stdout]).toEqual([5, ''])
    expect(readdirSync(join(project.folder, '.axiom'))).toEqual([])
  })

  it('warns of what it would rather see otherwise, and goes on', async () => {
    const project = await Project.make()
    const vague = {
      need: 'A blog',
      operations: [{ key: 'a', content: 'A', tasks: [{ key: 'b', content: 'B' }], colour: 'red' }],
    }
    const ran = await project.run('plan', '--from', project.file('plan.json', vague), '--yes', '--json')
    expect(ran.code).toBe(0)
    const warnings = ran.stderr
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { warning: { message: string } }).warning.message)
    expect(warnings).toEqual([
      'operations[0].colour: unknown field, not used',
      'operations[0].tasks[0]: no acceptance criterion says when it is done',
    ])
    expect(readFileSync(specOf(project), 'utf8')).toBe('A blog\n')
  })

  it('keeps the cases whole when the spec cannot be written after the commit', async () => {
    const project = await Project.make()
    writeFileSync(join(project.folder, '.axiom/specs'), 'in the way')
    const ran = await project.run('plan', '--from', project.file('plan.json', PLAN), '--yes', '--json')
    expect(JSON.parse(ran.stdout)).toMatchObject({ keys: KEYS })
    expect(JSON.parse(ran.stderr)).toMatchObject({ warning: { code: 'SPEC_NOT_WRITTEN' } })
    rmSync(join(project.folder, '.axiom/specs'))
  })

  it('puts a document that is in the way aside instead of losing it', async () => {
    const project = await Project.make()
    mkdirSync(join(project.folder, '.axiom/specs'))
    writeFileSync(specOf(project), 'notes of somebody')
    const ran = await project.run('plan', '--from', project.file('plan.json', PLAN), '--yes')
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('dir-001.md.backup') })
    expect(readFileSync(`${specOf(project)}.backup`, 'utf8')).toBe('notes of somebody')
    expect(readFileSync(specOf(project), 'utf8')).toBe(SPEC)
  })
})
