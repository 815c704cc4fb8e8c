import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CaseJson, Project, run } from './axiom.ts'

const OPERATION = ['case', 'create', '--type', 'operation', '--content', 'Operation']
const task = (content: string, ...more: string[]) => [
  'case',
  'create',
  '--type',
  'task',
  '--parent',
  'op-001',
  '--content',
  content,
  ...more,
]
const ids = (cases: readonly CaseJson[]) => cases.map(({ id }) => id)

describe('axiom case', () => {
  it('creates a case with everything that was said about it', async () => {
    const project = await Project.make(OPERATION, task('First'))
    const made = await project.json(
      ...task('  Login form ', '--criterion', 'Wrong is refused', '--criterion', 'Right is let in'),
      ...['--depends', 'task-001', '--tag', 'ui', '--tag', 'auth', '--meta', 'fileHints=["a.ts"]'],
    )
    expect(made).toMatchObject({
      id: 'task-002',
      type: 'task',
      status: 'pending',
      content: 'Login form',
      parentId: 'op-001',
      childIds: [],
      dependsOn: ['task-001'],
      tags: ['ui', 'auth'],
      metadata: { acceptanceCriteria: ['Wrong is refused', 'Right is let in'], fileHints: ['a.ts'] },
      rev: 1,
      history: [{ actor: 'user', reason: 'created' }],
    })
  })

  it('lists by type, status, parent, and the deleted ones when asked', async () => {
    const project = await Project.make(OPERATION, task('A'), task('B'), ['case', 'complete', 'task-001'])
    await project.ok('case', 'delete', 'task-002', '--reason', 'not wanted')
    const list = async (...options: string[]) =>
      ids(await project.json<CaseJson[]>('case', 'list', ...options))
    expect(await list()).toEqual(['op-001', 'task-001'])
    expect(await list('--type', 'task')).toEqual(['task-001'])
    expect(await list('--status', 'done')).toEqual(['op-001', 'task-001'])
    expect(await list('--parent', 'op-001', '--deleted')).toEqual(['task-001', 'task-002'])
    expect(await list('--type', 'draft')).toEqual([])
  })

  it('shows what is ready, why a case is not, its lineage and its history', async () => {
    const project = await Project.make(OPERATION, task('A'), task('B', '--depends', 'task-001'), task('C'))
    expect(ids(await project.json<CaseJson[]>('case', 'ready'))).toEqual(['task-001', 'task-003'])
    expect(ids(await project.json<CaseJson[]>('case', 'ready', '--limit', '1'))).toEqual(['task-001'])
    expect(await project.json('case', 'show', 'task-002')).toMatchObject({
      ready: false,
      holds: 'waits on task-001 (pending)',
    })
    expect(await project.json('case', 'show', 'task-003')).toMatchObject({ ready: true, holds: '' })
    const [tree] = await project.json<{ id: string; children: CaseJson[] }[]>('case', 'tree')
    expect([tree?.id, ids(tree?.children ?? [])]).toEqual(['op-001', ['task-001', 'task-002', 'task-003']])
    expect(await project.json<object[]>('case', 'tree', 'task-001')).toMatchObject([
      { id: 'task-001', children: [] },
    ])
    await project.ok('case', 'complete', 'task-001', '--result', 'by hand')
    expect(ids(await project.json<CaseJson[]>('case', 'ready'))).toEqual(['task-002', 'task-003'])
    expect(await project.json<object[]>('case', 'history', 'task-001')).toMatchObject([
      { reason: 'created' },
      { from: { status: 'pending' }, to: { status: 'active' } },
      { from: { status: 'active' }, to: { status: 'done' }, reason: 'by hand' },
    ])
  })

  it('claims, renews and releases under one fence', async () => {
    const project = await Project.make(OPERATION, task('A'))
    const claim = await project.json<{ case: CaseJson; fence: number; expiresAt: string }>(
      ...['case', 'claim', 'task-001', '--agent', 'echo-001', '--ttl', '5m'],
    )
    expect(claim).toMatchObject({ case: { id: 'task-001', status: 'active' }, fence: 1, holder: 'echo-001' })
    const renewal = await project.json<{ expiresAt: string }>(
      ...['case', 'renew', 'task-001', '--fence', '1', '--ttl', '1h'],
    )
    expect(Date.parse(renewal.expiresAt) - Date.parse(claim.expiresAt)).toBeGreaterThan(50 * 60_000)
    expect(await project.json('case', 'show', 'op-001')).toMatchObject({ status: 'active' })
    expect(await project.json('case', 'release', 'task-001', '--fence', '1')).toMatchObject({
      status: 'pending',
    })
    const again = await project.json('case', 'claim', 'task-001', '--agent', 'echo-002')
    expect(again).toMatchObject({ fence: 2 })
    expect(await project.json('case', 'release', 'task-001')).toMatchObject({ status: 'pending' })
  })

  it('holds a review under a lease of its own stage', async () => {
    const project = await Project.make(OPERATION, task('A'), ['case', 'claim', 'task-001', '--agent', 'e'])
    await project.ok('case', 'update', 'task-001', '--status', 'review', '--fence', '1', '--reason', 'ready')
    const review = ['case', 'claim', 'task-001', '--agent', 'critic-001', '--stage', 'critique']
    expect(await project.json(...review)).toMatchObject({ fence: 2, stage: 'critique' })
    await project.ok('case', 'renew', 'task-001', '--fence', '2', '--stage', 'critique')
    await project.ok('case', 'release', 'task-001', '--fence', '2', '--stage', 'critique')
    expect(await project.json('case', 'show', 'task-001')).toMatchObject({
      status: 'review',
      leases: { develop: { holder: 'e', fence: 1 } },
    })
  })

  it('moves, turns, updates and deletes', async () => {
    const project = await Project.make(OPERATION, task('A'), task('B'), [
      'case',
      'create',
      '--type',
      'draft',
      '--content',
      'Draft',
    ])
    expect(await project.json('case', 'block', 'task-001', '--reason', 'key')).toMatchObject({
      status: 'blocked',
    })
    await project.ok('case', 'update', 'task-001', '--status', 'pending')
    expect(await project.json('case', 'depend', 'task-002', 'task-001')).toMatchObject({
      dependsOn: ['task-001'],
    })
    expect(await project.json('case', 'undepend', 'task-002', 'task-001')).toMatchObject({ dependsOn: [] })
    expect(await project.json('case', 'defer', 'task-002', '--reason', 'later')).toMatchObject({
      id: 'task-002',
      type: 'deferred',
    })
    const turned = ['case', 'transition', 'draft-001', 'research', '--reason', 'look first']
    expect(await project.json(...turned)).toMatchObject({ id: 'draft-001', type: 'research' })
    const said = ['--content', 'New', '--tag', 'x', '--criterion', 'c', '--meta', 'verify=["npm test"]']
    expect(await project.json('case', 'update', 'task-001', ...said, '--reason', 'why not')).toMatchObject({
      content: 'New',
      tags: ['x'],
      metadata: { acceptanceCriteria: ['c'], verify: ['npm test'] },
    })
    await project.ok('case', 'claim', 'task-001', '--agent', 'e')
    expect(await project.json('case', 'complete', 'task-001', '--fence', '1')).toMatchObject({
      status: 'done',
    })
    expect(await project.json('case', 'delete', 'op-001', '--reason', 'all', '--cascade')).toMatchObject({
      id: 'op-001',
      deletedAt: expect.any(String),
    })
    expect(ids(await project.json<CaseJson[]>('case', 'list'))).toEqual(['draft-001'])
  })

  it('splits by a file whose keys name each other', async () => {
    const project = await Project.make(OPERATION)
    const file = project.file('split.json', [
      { type: 'task', key: 'a', content: 'A', acceptanceCriteria: ['works'], tags: ['t'] },
      { type: 'task', content: 'B', dependsOn: ['a'] },
    ])
    const made = await project.json<CaseJson[]>('case', 'split', 'op-001', '--from', file, '--reason', 'plan')
    expect(made).toMatchObject([
      { id: 'task-001', tags: ['t'], metadata: { acceptanceCriteria: ['works'] } },
      { id: 'task-002', dependsOn: ['task-001'] },
    ])
    expect(await project.json<object[]>('case', 'history', 'op-001')).toMatchObject([
      {},
      { type: 'split', childIds: ['task-001', 'task-002'], reason: 'plan' },
    ])
    const wrapped = project.file('more.json', { children: [{ type: 'pending', content: 'Which?' }] })
    expect(await project.ok('case', 'split', 'op-001', '--from', wrapped)).toBe('◇ pend-001  → Which?\n')
  })
})

describe('axiom store', () => {
  it('exports, imports once, verifies and compacts', async () => {
    const project = await Project.make(OPERATION, task('A'), ['case', 'complete', 'task-001'])
    expect(await project.json('store', 'export', 'backup.jsonl')).toEqual({
      exported: 2,
      file: join(project.folder, 'backup.jsonl'),
    })
    const lines = readFileSync(join(project.folder, 'backup.jsonl'), 'utf8')
    expect(await project.ok('store', 'export', '-')).toBe(lines)
    expect(ids(await project.json<CaseJson[]>('store', 'export', '-'))).toEqual(['op-001', 'task-001'])

    const copy = await Project.make()
    const file = copy.file('backup.jsonl', lines)
    expect(await copy.json('store', 'import', file)).toEqual({ imported: 2, known: 0 })
    expect(await copy.json('store', 'import', file)).toEqual({ imported: 0, known: 2 })
    const here = await project.json<CaseJson[]>('case', 'list')
    expect(await copy.json<CaseJson[]>('case', 'list')).toEqual(here)

    expect(await project.json('store', 'verify')).toMatchObject({ ok: true, cases: 2, lines: 4, damage: [] })
    expect(await project.json('store', 'compact')).toMatchObject({ ok: true, cases: 2, lines: 2 })
    expect(project.journal()).toBe(lines)
    expect(await project.json<CaseJson[]>('case', 'list')).toEqual(here)
  })

  it('says with exit 1 what is wrong, and compacts a damaged file only when told to', async () => {
    const project = await Project.make(OPERATION, task('A'), task('B'))
    const [first = '', ...rest] = project.journal().split('\n')
    project.file('.axiom/cases.jsonl', [first.replace('Operation', 'Operatiom'), ...rest].join('\n'))
    const verified = await project.run('store', 'verify', '--json')
    expect(verified).toMatchObject({ code: 1, stderr: '' })
    expect(JSON.parse(verified.stdout)).toMatchObject({
      ok: false,
      damage: [{ kind: 'corrupt-line', line: 1, id: 'op-001', message: expect.any(String) }],
    })
    const listed = await project.run('case', 'list', '--json')
    expect(JSON.parse(listed.stderr)).toMatchObject({ warning: { code: 'STORE_DAMAGED' } })
    const before = project.journal()
    const refused = await project.run('store', 'compact')
    expect(refused).toMatchObject({ code: 4, stdout: '' })
    expect(refused.stderr).toContain('STORE_DAMAGED')
    expect(refused.stderr).toContain('--accept-damage')
    expect(project.journal()).toBe(before)
    expect(await project.run('store', 'compact', '--accept-damage', '--json')).toMatchObject({ code: 0 })
    expect(await project.json('store', 'verify')).toMatchObject({ ok: true })
  })

  it('shows cases that were given each other as a parent', async () => {
    const project = await Project.make()
    const time = '2026-01-01T00:00:00.000Z'
    const loop = ['draft-001', 'draft-002'].map((id, at, both) =>
      JSON.stringify({
        ...{ id, type: 'draft', status: 'pending', content: id, parentId: both[1 - at], metadata: {} },
        ...{ createdAt: time, updatedAt: time, history: [], rev: 1, uid: `u${at}` },
      }),
    )
    const file = project.file('loop.jsonl', `${loop.join('\n')}\n`)
    expect((await project.run('store', 'import', file)).stderr).toContain('draft-001 is its own ancestor')
    project.file('.axiom/cases.jsonl', `${loop.join('\n')}\n`)
    expect(await project.ok('case', 'tree')).toBe('□ draft-001 → draft-001\n└── □ draft-002 → draft-002\n')
  })
})

describe('Every command', () => {
  it('finds its project from below, and by --cwd from anywhere', async () => {
    const project = await Project.make(OPERATION)
    const deep = join(project.folder, 'a/b')
    mkdirSync(deep, { recursive: true })
    project.file('a/b/split.json', [{ type: 'task', content: 'T' }])
    expect((await run(deep, ['case', 'list'])).stdout).toContain('op-001')
    const elsewhere = ['--cwd', deep, 'case', 'split', 'op-001', '--from', 'split.json']
    expect((await run('/', elsewhere)).stdout).toContain('task-001')
    expect(await run('/', ['status', '--json', `--cwd=${deep}`])).toMatchObject({ code: 0 })
    const status = await project.json('status')
    expect(status).toMatchObject({
      project: project.folder,
      cases: 2,
      counts: { operation: { pending: 1 }, task: { pending: 1 } },
      ready: ['task-001'],
      active: [],
      blocked: [],
      damage: [],
      cycles: [],
    })
  })

  it('says with exit 3 or 4 what kept it from its store', async () => {
    const bare = new Project()
    const lost = await bare.run('case', 'list', '--json')
    expect(lost).toMatchObject({ code: 3, stdout: '' })
    expect(JSON.parse(lost.stderr)).toMatchObject({ error: { code: 'CONFIG_NOT_FOUND' } })
    expect(lost.stderr).toContain('axiom init')

    mkdirSync(join(bare.folder, '.axiom/cases.jsonl'), { recursive: true })
    const unreadable = await bare.run('status', '--json')
    expect(unreadable).toMatchObject({ code: 4, stdout: '' })
    expect(JSON.parse(unreadable.stderr)).toMatchObject({ error: { code: 'STORE_UNREADABLE' } })

    const locked = new Project()
    mkdirSync(join(locked.folder, '.axiom'))
    locked.file('.axiom/lock', 'a file where a folder should be')
    const refused = await locked.run('status', '--json')
    expect(refused).toMatchObject({ code: 4, stdout: '' })
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { hint: expect.any(String) } })
    expect(refused.stderr).not.toContain('BUG')
  })
})
