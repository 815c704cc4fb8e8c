import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runAxiom } from '../cli/run-axiom.ts'

let root: string
const file = (): string => join(root, '.axiom', 'config.json')

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'axiom-config-'))
  await mkdir(join(root, '.axiom'))
  await writeFile(file(), '{"zebra": 1, "agents": {"maxConcurrent": 3, "own": true}}')
})
afterEach(() => rm(root, { recursive: true, force: true }))

describe('axiom config', () => {
  it('tells a value and where it comes from', async () => {
    const fromFile = await runAxiom(root, ['config', 'get', 'agents.maxConcurrent', '--json'])
    expect(JSON.parse(fromFile.stdout)).toEqual({
      key: 'agents.maxConcurrent',
      value: 3,
      source: 'file',
      from: file(),
    })
    const env = { AXIOM_AGENTS_MAX_CONCURRENT: '7' }
    const fromEnv = await runAxiom(root, ['config', 'get', 'agents.maxConcurrent', '--json'], { env })
    expect(JSON.parse(fromEnv.stdout)).toMatchObject({
      value: 7,
      source: 'environment',
      from: 'AXIOM_AGENTS_MAX_CONCURRENT',
    })
    const plain = await runAxiom(root, ['config', 'get', 'agents.maxMinutes'])
    expect(plain).toMatchObject({ exitCode: 0, stdout: '30\n' })
    expect(plain.stderr).toContain('default')
    expect(plain.stderr).toContain('CONFIG_UNKNOWN_KEY: unknown key zebra is ignored')
  })

  it('sets a value, keeps unknown keys and order, and leaves a backup', async () => {
    expect((await runAxiom(root, ['config', 'set', 'agents.maxConcurrent', '9'])).exitCode).toBe(0)
    const text = await readFile(file(), 'utf8')
    expect(text).toBe(`${JSON.stringify({ zebra: 1, agents: { maxConcurrent: 9, own: true } }, null, 2)}\n`)
    expect(await readFile(`${file()}.backup`, 'utf8')).toBe(text)
  })

  it('refuses a wrong value and an unknown key with exit code 3 and changes nothing', async () => {
    const before = await readFile(file(), 'utf8')
    const wrong = await runAxiom(root, ['config', 'set', 'agents.maxConcurrent', '99', '--json'])
    expect(wrong).toMatchObject({ exitCode: 3, stdout: '' })
    expect(JSON.parse(wrong.stderr).error).toMatchObject({
      code: 'CONFIG_SCHEMA_ERROR',
      message: 'agents.maxConcurrent is 99; allowed is a whole number from 1 to 50',
    })
    const unknown = await runAxiom(root, ['config', 'get', 'agents.maxConcurent'])
    expect(unknown.exitCode).toBe(3)
    expect(unknown.stderr).toContain('did you mean agents.maxConcurrent?')
    expect(await readFile(file(), 'utf8')).toBe(before)
  })

  it('restores the last good file when an edit broke it, and keeps the broken one', async () => {
    const edited = '{"agents": {"maxConcurrent": 5}}'
    await writeFile(file(), edited)
    expect((await runAxiom(root, ['config', 'get', 'agents.maxConcurrent'])).stdout).toBe('5\n')
    await writeFile(file(), '{"agents": {"maxConcurrent": 6')
    const restored = await runAxiom(root, ['config', 'get', 'agents.maxConcurrent'])
    expect(restored).toMatchObject({ exitCode: 0, stdout: '5\n' })
    expect(restored.stderr).toMatch(/^CONFIG_BACKUP_RESTORED: .*line 1, column \d+/)
    expect(await readFile(file(), 'utf8')).toBe(edited)
    const aside = (await readdir(join(root, '.axiom'))).find((name) => name.startsWith('config.json.broken-'))
    expect(await readFile(join(root, '.axiom', String(aside)), 'utf8')).toBe('{"agents": {"maxConcurrent": 6')
  })

  it('stops with CONFIG_INVALID_JSON and exit code 3 when there is nothing to restore', async () => {
    await writeFile(file(), '{"agents": ')
    const broken = await runAxiom(root, ['config', 'get'])
    expect(broken.exitCode).toBe(3)
    expect(broken.stderr).toMatch(
      /^CONFIG_INVALID_JSON: .*config\.json is no valid JSON: .*\n {2}correct the file/,
    )
    expect(await readFile(file(), 'utf8')).toBe('{"agents": ')
  })

  it('says CONFIG_NOT_FOUND where there is no project', async () => {
    await rm(join(root, '.axiom'), { recursive: true })
    const lost = await runAxiom(root, ['config', 'path'])
    expect(lost.exitCode).toBe(3)
    expect(lost.stderr).toMatch(/^CONFIG_NOT_FOUND: .*\n {2}start one here: "axiom init"/)
  })

  it('prints the path and the schema', async () => {
    await mkdir(join(root, 'below'))
    expect((await runAxiom(join(root, 'below'), ['config', 'path'])).stdout.trim()).toBe(file())
    const schema = JSON.parse((await runAxiom(root, ['config', 'schema'])).stdout)
    expect(schema.properties.agents.properties.maxConcurrent).toMatchObject({
      default: 2,
      minimum: 1,
      maximum: 50,
    })
  })
})
