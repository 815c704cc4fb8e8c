import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newDelivery } from '../../src/delivery/delivery-state.ts'
import { AXIOM } from '../../src/vocabulary/axiom.ts'
import { createWorkspace } from '../../src/workspaces/create-workspace.ts'
import { removeWorkspace } from '../../src/workspaces/remove-workspace.ts'
import { sh, write } from '../git/scratch.ts'
import { openLandedProject } from './project.ts'
import { commitFiles, integrating } from './scene.ts'

const FILES = { 'src/greet.js': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n' }
const PLAN = {
  need: 'When I start it, I want to be greeted, so that I feel welcome.',
  spec: '# Greeting\n\nIt greets by name. It says goodbye.\n',
  operations: [
    {
      key: 'op',
      content: 'Greet people',
      acceptanceCriteria: ['people are greeted'],
      tasks: ['Greet by name', 'Say goodbye', 'Sing'].map((content, i) => ({
        ...{
          key: `t${i}`,
          content,
          acceptanceCriteria: [`${content} works`],
          covers: i === 0 ? ['greets by name'] : [],
        },
      })),
    },
  ],
}

async function openPlanned() {
  const project = await openLandedProject(FILES)
  write(project.user, { 'plan.json': JSON.stringify(PLAN) })
  const planned = await project.run('plan', '--from', 'plan.json', '--yes', '--json')
  expect(planned, planned.stderr).toMatchObject({ code: 0 })
  return project
}

describe('axiom why', () => {
  it('leads from a line to its commit, task, criterion, words of the spec, need and reviews', async () => {
    using project = await openPlanned()
    const commit = await project.land('task-001', { 'src/greet.js': 'one\nhello NAME\nthree\n' })
    const said = {
      name: 'AUDIT_PASSED',
      body: {
        criteria: [
          { criterion: 'Greet by name works', verdict: 'VERIFIED', evidence: 'src/greet.js:2 says so' },
        ],
      },
    }
    const digest = await project.withStore((store) => store.putBlob(Buffer.from(JSON.stringify(said))))
    const verdict = {
      id: 'v',
      signal: 'AUDIT_PASSED',
      sender: 'auditor',
      agent: 'auditor-001',
      commit,
      at: '2026-01-01T00:00:00.000Z',
    }
    const delivery = { ...newDelivery(), state: 'landed', verdicts: [verdict] }
    await project.commit({
      kind: 'update',
      id: 'task-001',
      metadata: { delivery, words: { auditor: { digest } } },
    })
    const found = await project.json<Record<string, unknown>>('why', 'src/greet.js:2')
    expect(found).toMatchObject({
      ...{ file: 'src/greet.js', line: 2, text: 'hello NAME', commit, agent: 'echo-001', task: 'task-001' },
      landedTask: { id: 'task-001', content: 'Greet by name' },
      criteria: [{ text: 'Greet by name works', evidence: 'src/greet.js:2 says so' }],
      operation: { id: 'op-001' },
      region: { text: 'greets by name' },
      need: { id: 'dir-001', content: PLAN.need },
      review: [{ role: 'auditor', signal: 'AUDIT_PASSED', agent: 'auditor-001' }],
    })
    const told = await project.run('why', 'src/greet.js:2')
    for (const words of ['task-001', 'greets by name', 'I feel welcome', 'AUDIT_PASSED'])
      expect(told.stdout).toContain(words)
  })

  it('says when a person wrote a line, when nobody committed it, and when there is none', async () => {
    using project = await openPlanned()
    expect(await project.json('why', 'src/greet.js:1')).toMatchObject({
      author: 'Person',
      task: null,
      need: null,
    })
    write(project.user, { 'src/greet.js': 'new\n' })
    expect(await project.json('why', 'src/greet.js:1')).toMatchObject({ text: 'new', commit: null })
    const none = await project.run('why', 'src/greet.js:99', '--json')
    expect(JSON.parse(none.stderr)).toMatchObject({ error: { code: 'LINE_NOT_FOUND' } })
    expect((await project.run('why', 'src/greet.js')).code).toBe(2)
  })
})

describe('axiom queue', () => {
  it('looks at a project without making a folder for checkouts in it', async () => {
    using project = await openLandedProject({ 'a.txt': 'a\n' })
    const workspaces = join(project.user, AXIOM.workspaces)
    rmSync(workspaces, { recursive: true })
    for (const command of ['queue', 'rescue']) expect((await project.run(command)).code).toBe(0)
    expect(existsSync(workspaces)).toBe(false)
  })

  it('shows what waits, what landed and the weather between live work', async () => {
    using project = await openPlanned()
    const { ground } = project
    await project.land('task-003', { other: 'x\n' })
    const base = sh(ground.integration.gitDir, 'git rev-parse main')
    const make = (line: number, text: string) => {
      const lines = FILES['src/greet.js'].split('\n').with(line, text)
      return commitFiles(ground.integration.gitDir, base, { 'src/greet.js': lines.join('\n') }, 'feat: work')
    }
    for (const [task, commit] of [
      ['task-001', make(1, 'TWO')],
      ['task-002', make(6, 'SEVEN')],
    ] as const) {
      await project.commit({ kind: 'claim', id: task, stage: 'develop', holder: 'echo-001', ttlMs: 60_000 })
      await project.commit(...integrating(task, commit))
    }
    const picture = await project.json<{ entries: unknown[] }>('queue')
    expect(picture).toMatchObject({
      ...{ target: 'main', commit: base, published: true },
      entries: [{ id: 'task-001', conflict: null }, { id: 'task-002' }],
      weather: { pairs: [{ tasks: ['task-001', 'task-002'], sky: 'same-file', files: ['src/greet.js'] }] },
    })
    // The third works in a workspace on the very lines of the first.
    const workspace = await createWorkspace(ground, { agent: 'echo-003', task: 'task-003', slot: 0 })
    write(workspace.path, { 'src/greet.js': FILES['src/greet.js'].replace('two', 'zwei') })
    sh(workspace.path, 'git commit -qam work')
    const told = (await project.run('queue')).stdout
    expect(told).toContain('task-001 × task-002  same file')
    expect(told).toContain('task-001 × task-003  same lines')
  })
})

describe('axiom rescue', () => {
  it('lists what was saved and brings it back as a branch, beside what the user has', async () => {
    using project = await openPlanned()
    expect((await project.run('rescue')).stdout).toContain('Nothing had to be saved')
    const workspace = await createWorkspace(project.ground, { agent: 'echo-001', task: 'task-001', slot: 0 })
    write(workspace.path, { 'half.txt': 'half done\n' })
    expect((await removeWorkspace(project.ground, workspace, 'retention')).kind).toBe('removed')
    const [saved] = await project.json<{ ref: string }[]>('rescue')
    if (!saved) throw new Error('nothing saved')
    const before = sh(project.user, 'git status --porcelain; git rev-parse HEAD')
    const { branch } = await project.json<{ branch: string }>('rescue', saved.ref)
    expect(sh(project.user, `git show ${branch}:half.txt`)).toBe('half done')
    expect((await project.json<{ branch: string }>('rescue', saved.ref)).branch).toBe(`${branch}-2`)
    expect(sh(project.user, 'git status --porcelain; git rev-parse HEAD')).toBe(before)
    const none = await project.run('rescue', 'echo-009/1/tree', '--json')
    expect(JSON.parse(none.stderr)).toMatchObject({ error: { code: 'RESCUE_NOT_FOUND' } })
  })
})

describe('axiom checkpoint', () => {
  it('marks target and cases under a name or the moment, and gives no name twice', async () => {
    using project = await openPlanned()
    const commit = sh(project.ground.integration.gitDir, 'git rev-parse main')
    expect(await project.json('checkpoint', 'before')).toMatchObject({
      name: 'before',
      commit,
      isNamed: true,
    })
    await project.json('checkpoint')
    const again = await project.run('checkpoint', 'before')
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('already')])
    const all = await project.json<{ name: string }[]>('checkpoint', '--list')
    expect(all.map(({ name }) => name)).toEqual(['before', expect.stringMatching(/^auto-\d{8}-\d{6}$/)])
  })
})

describe('axiom rollback', () => {
  it('says what will be lost, waits for a yes, and then takes it back from the target and the user’s branch', async () => {
    using project = await openPlanned()
    await project.json('checkpoint', 'good')
    await project.land('task-001', { 'src/new.js': 'new\n' })
    await project.commit({
      kind: 'claim',
      id: 'task-001',
      stage: 'develop',
      holder: 'echo-001',
      ttlMs: 60_000,
    })
    await project.commit({ kind: 'complete', id: 'task-001' })
    const asked = await project.run('rollback', 'good', '--json')
    expect(asked.code).toBe(5)
    expect(asked.stderr).toContain('ROLLBACK_UNCONFIRMED')
    expect(await project.json('rollback', 'good', '--dry-run')).toMatchObject({
      lost: [{ task: 'task-001' }],
      restored: [{ id: 'task-001', from: 'done', to: 'pending' }],
    })
    expect(sh(project.user, 'cat src/new.js')).toBe('new')
    expect(await project.json('rollback', 'good', '--yes')).toMatchObject({
      ...{ kind: 'rolled-back', published: 'published' },
    })
    expect(sh(project.user, 'ls src')).toBe('greet.js')
    expect(await project.json('case', 'show', 'task-001')).toMatchObject({ status: 'pending' })
    const unknown = await project.run('rollback', 'bad', '--yes', '--json')
    expect(JSON.parse(unknown.stderr)).toMatchObject({ error: { code: 'CHECKPOINT_NOT_FOUND' } })
  })
})
