import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { type CaseJson, Project, removeFolder, start, temporaryFolder } from '../cli/axiom.ts'

const LARGE = 400
const bin = resolve(import.meta.dirname, '../../bin/axiom.js')
const shell = promisify(execFile)

let project: Project

beforeAll(async () => {
  project = await Project.make(['case', 'create', '--type', 'operation', '--content', 'Operation'])
  const tasks = Array.from({ length: LARGE }, (_, at) => ({
    type: 'task',
    content: `${at} ${'x'.repeat(400)}`,
  }))
  await project.ok('case', 'split', 'op-001', '--from', project.file('tasks.json', tasks))
  return removeFolder(project.folder)
})

describe('The program as a process', () => {
  it('prints data on standard output alone, and ends with 0', async () => {
    const create = ['case', 'create', '--type', 'draft', '--content', 'D']
    const made = await start('/', [...create, '--json', '--cwd', project.folder])
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(made.stdout)).toMatchObject({ id: 'draft-001' })
  })

  it('ends with the code of what went wrong, which it says on standard error alone', async () => {
    const broken = temporaryFolder()
    mkdirSync(join(broken, '.axiom/cases.jsonl'), { recursive: true })
    const all = await Promise.all([
      start(project.folder, ['case', 'show', 'task-9999', '--json']),
      start(project.folder, ['case', 'shw', '--json']),
      start('/', ['status', '--json']),
      start(broken, ['status', '--json']),
    ])
    expect(all.map(({ code }) => code)).toEqual([1, 2, 3, 4])
    expect(all.map(({ stdout }) => stdout)).toEqual(['', '', '', ''])
    const codes = all.map(({ stderr }) => (JSON.parse(stderr) as { error: { code: string } }).error.code)
    expect(codes).toEqual(['NotFound', 'USAGE', 'CONFIG_NOT_FOUND', 'STORE_UNREADABLE'])
  })

  it('reads a file from standard input, however late it comes', async () => {
    const piped = `(sleep 0.5; echo '[{"type":"research","content":"R"}]') | ${process.execPath} ${bin} case split op-001 --from -`
    const { stdout } = await shell('sh', ['-c', piped], { cwd: project.folder })
    expect(stdout).toBe('◆ res-001   → R\n')
  })

  it('says what a first start needs where there is no repository', async () => {
    const { code, stdout, stderr } = await start('/', [])
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
    expect(stderr).toContain('PREREQ_NO_GIT')
    expect(stderr).toContain('git init')
  })

  it('writes all of a large output into a pipe that is read slowly', async () => {
    const slow = `${process.execPath} ${bin} case list --json | (sleep 0.3; cat)`
    const { stdout } = await shell('sh', ['-c', slow], { cwd: project.folder, maxBuffer: 64 * 1024 * 1024 })
    expect(stdout.length).toBeGreaterThan(LARGE * 500)
    expect((JSON.parse(stdout) as CaseJson[]).length).toBeGreaterThan(LARGE)
  })

  it('takes a reader that has seen enough for no error, and an output that is full for one', async () => {
    const early = `{ ${process.execPath} ${bin} case list --json; echo "exit $?" >&2; } | head -c 1`
    const closed = await shell('sh', ['-c', early], { cwd: project.folder })
    expect(closed).toEqual({ stdout: '[', stderr: 'exit 0\n' })
    const full = `${process.execPath} ${bin} case list > /dev/full; echo "exit $?"`
    const failed = await shell('sh', ['-c', full], { cwd: project.folder })
    expect(failed.stdout).toBe('exit 4\n')
    expect(failed.stderr).toContain('ENOSPC')
  })
})
