import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FileStore } from '../../src/store/jsonl/file-store.ts'
import { runCommand } from './program.ts'
import { commit, createOperation, journalOf, load, QUICK_DISK, type State } from './sample-store.ts'
import { scratchFolder } from './scratch.ts'

it.each([
  ['conflict markers left in the file', ''],
  ['a union merge', '*.jsonl merge=union\n'],
])('reports what two branches contradict each other in, and swallows nothing: %s', async (_, attributes) => {
  const project = scratchFolder()
  const folder = join(project, '.axiom')
  const { left, right, base } = await mergeBranches(project, folder, attributes)
  const merged = readFileSync(journalOf(folder), 'utf8')
  expect(merged.includes('<<<<<<<')).toBe(attributes === '')
  for (const line of [...left, ...right]) expect(merged).toContain(line)

  const { state, damage } = await load(folder)
  const kinds = new Set(damage.map(({ kind }) => kind))
  expect([...kinds].sort()).toEqual(
    [...(attributes === '' ? ['merge-marker'] : []), 'two-cases', 'two-documents', 'two-revisions'].sort(),
  )
  expect(damage).toContainEqual({ kind: 'two-revisions', id: 'task-001', rev: 2 })
  const twins = damage.flatMap((item) => (item.kind === 'two-cases' ? [item.id] : []))
  expect(twins.sort()).toEqual(['op-002', 'task-004', 'task-005', 'task-006'])
  expect([...state.held].sort()).toEqual(['op-002', 'task-001', 'task-004', 'task-005', 'task-006'])
  expect(state.cases['task-002']).toMatchObject({ content: 'changed on the right only', rev: 2 })
  expect(state.cases['task-003']).toEqual(base.cases['task-003'])
  expect(readFileSync(journalOf(folder), 'utf8')).toBe(merged)
  await expectHeldUntilAccepted(project, folder, merged)
})

async function mergeBranches(
  project: string,
  folder: string,
  attributes: string,
): Promise<{ base: State; left: string[]; right: string[] }> {
  git(project, 'init', '--quiet', '--initial-branch', 'left')
  mkdirSync(folder)
  writeFileSync(join(folder, '.gitignore'), '*\n!cases.jsonl\n')
  writeFileSync(join(project, '.gitattributes'), attributes)
  await change(folder, async (store) => void (await createOperation(store, 'base')))
  const { state: base } = await load(folder)
  const before = linesOf(folder)
  save(project, 'base')

  git(project, 'branch', 'right')
  await change(folder, (store) => branchOut(store, 'left'))
  const left = linesOf(folder).slice(before.length)
  save(project, 'left')

  git(project, 'checkout', '--quiet', 'right')
  // Another machine: it does not know which numbers were given out on the left.
  rmSync(join(folder, 'metrics'), { recursive: true })
  await change(folder, async (store) => {
    await branchOut(store, 'right')
    await commit(store, { kind: 'update', id: 'task-002', content: 'changed on the right only' })
  })
  const right = linesOf(folder).slice(before.length)
  save(project, 'right')

  git(project, 'checkout', '--quiet', 'left')
  const { status } = tryGit(project, 'merge', '--quiet', 'right')
  expect(status).toBe(attributes === '' ? 1 : 0)
  return { base, left, right }
}

/** What both sides do: change the same case and the same document, and make new cases under the same ids. */
async function branchOut(store: FileStore, side: string): Promise<void> {
  await commit(store, { kind: 'update', id: 'task-001', content: `changed on the ${side}` })
  await createOperation(store, `made on the ${side}`)
  await store.transact({
    by: 'tester',
    commands: [],
    documents: [{ key: 'project', value: side, expect: 0 }],
  })
}

async function expectHeldUntilAccepted(project: string, folder: string, merged: string): Promise<void> {
  const verified = await runCommand(project, '--json', 'store', 'verify')
  expect(verified.code).toBe(1)
  expect(JSON.parse(verified.out)).toMatchObject({ ok: false })

  const refused = await runCommand(project, '--json', 'case', 'update', 'task-001', '--content', 'x')
  expect(refused.code).toBe(1)
  expect(refused.errors).toContain('task-001 is held')
  const free = await runCommand(project, '--json', 'case', 'update', 'task-003', '--content', 'x')
  expect(free.code, free.errors).toBe(0)

  const now = readFileSync(journalOf(folder), 'utf8')
  expect(now.startsWith(merged)).toBe(true)
  const compact = await runCommand(project, '--json', 'store', 'compact')
  expect(compact.errors).toContain('STORE_DAMAGED')
  expect(readFileSync(journalOf(folder), 'utf8')).toBe(now)

  const accepted = await runCommand(project, '--json', 'store', 'compact', '--accept-damage')
  expect(accepted.code, accepted.errors).toBe(0)
  const copy = readdirSync(folder).find((name) => name.startsWith('cases.jsonl.before-'))
  expect(readFileSync(join(folder, copy ?? ''), 'utf8')).toBe(now)
  expect((await runCommand(project, 'store', 'verify')).code).toBe(0)
}

async function change(folder: string, work: (store: FileStore) => Promise<void>): Promise<void> {
  const store = new FileStore({ folder, disk: QUICK_DISK })
  await work(store)
  await store.close()
}

function linesOf(folder: string): string[] {
  return readFileSync(journalOf(folder), 'utf8').trimEnd().split('\n')
}

function save(project: string, message: string): void {
  git(project, 'add', '--all')
  git(project, 'commit', '--quiet', '--message', message)
}

function git(cwd: string, ...given: readonly string[]): void {
  const { status, stderr } = tryGit(cwd, ...given)
  if (status !== 0) throw new Error(`git ${given.join(' ')}: ${stderr}`)
}

function tryGit(cwd: string, ...given: readonly string[]): { status: number | null; stderr: string } {
  const identity = ['-c', 'user.name=tester', '-c', 'user.email=tester@example.com']
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
  return spawnSync('git', [...identity, ...given], { cwd, env, encoding: 'utf8' })
}
