import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../../src/platform/process/run-command.ts'

const program = resolve(import.meta.dirname, '../../bin/axiom.js')
const DOWN_AND_ENTER = '\u001b[B\r'
const CTRL_C = '\u0003'
let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'axiom-terminal-'))
  await writeFile(join(root, 'package.json'), '{"name": "a", "scripts": {"test": "exit 1"}}\n')
  await writeFile(join(root, '.env.example'), 'PORT=3000\n')
  const line =
    'git init -q -b main && git add -A && git -c user.name=T -c user.email=t@example.com commit -qm Start'
  await runCommand({
    argv: ['sh', '-c', line],
    cwd: root,
    env: { PATH: process.env.PATH, HOME: root },
    timeoutMs: 20_000,
  })
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** Runs `axiom init` on a terminal of its own and answers each question when it appears. */
async function converse(
  answers: readonly (readonly [question: string, keys: string])[],
): Promise<{ exitCode: number | null; shown: string }> {
  const line = `stty cols 120 rows 40; exec ${process.execPath} ${program} init`
  const env = { PATH: process.env.PATH, HOME: root, TERM: 'xterm' }
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    cwd: root,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const waiting = [...answers]
  let shown = ''
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString()
    const [next] = waiting
    if (next !== undefined && shown.includes(next[0])) {
      waiting.shift()
      child.stdin.write(next[1])
    }
  })
  const exitCode = await new Promise<number | null>((settle) => child.on('close', settle))
  expect(waiting, shown).toEqual([])
  return { exitCode, shown }
}

describe('a first start on a terminal', () => {
  it('asks only where it is unsure, and writes the answers', async () => {
    const { exitCode, shown } = await converse([
      ['What should become of it?', DOWN_AND_ENTER],
      ['its own port', 'y'],
    ])
    expect(exitCode).toBe(0)
    expect(shown.match(/◇/g)).toHaveLength(2)
    expect(shown).toContain('changes land while they are red, as you chose')
    expect(JSON.parse(await readFile(join(root, '.axiom/config.json'), 'utf8'))).toMatchObject({
      verification: [{ command: 'npm test', required: false }],
      workspace: { variables: { PORT: '{slot+3000}' } },
    })
  })

  it('writes nothing when a question is left with Ctrl-C, and ends with exit code 130', async () => {
    const { exitCode, shown } = await converse([['What should become of it?', CTRL_C]])
    expect(exitCode).toBe(130)
    expect(shown).toContain('INTERRUPTED')
    await expect(readFile(join(root, '.axiom/config.json'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
