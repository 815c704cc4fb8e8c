import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runAxiom } from '../../cli/run-axiom.ts'
import { type ScriptedApi, startScriptedApi } from '../../scripted-api/server.ts'
import { CLAUDE_MODEL, claude } from './use-claude.ts'

const TIMEOUT_MS = 500_000
let api: ScriptedApi
let root: string

beforeAll(async () => {
  api = await startScriptedApi()
  root = realpathSync(mkdtempSync(join(tmpdir(), 'axiom-client-ava-')))
  writeFileSync(join(root, 'package.json'), '{"name": "a", "scripts": {"test": "node --test"}}\n')
  writeFileSync(join(root, 'a.test.mjs'), "import test from 'node:test'\ntest('passes', () => {})\n")
  writeFileSync(join(root, 'check.sh'), 'test -f package.json\n')
  const line =
    'git init -q -b main && git add -A && git -c user.name=T -c user.email=t@example.com commit -qm Start'
  execFileSync('sh', ['-c', line], { cwd: root })
})
afterAll(async () => {
  await api.close()
  rmSync(root, { recursive: true, force: true })
})

describe(`a first start with claude ${claude.version} as Ava`, () => {
  it('is told what the rules found, looks around, mends her proposal, and has it proven and written', async () => {
    const block = (json: string): string => `\`\`\`json\n${json}\n\`\`\`\n\n<axiom>AVA_COMPLETE</axiom>`
    api.play({
      turns: [
        { speech: 'Hello. I look first.', uses: [{ tool: 'shell', command: 'git log --oneline && ls' }] },
        { speech: block('{"verification": [{"comand": "sh check.sh"}]}') },
        { speech: block('{"verification": ["npm test", {"name": "layout", "command": "sh check.sh"}]}') },
      ],
    })
    const ran = await runAxiom(root, ['init', '--yes', '--json', '--agent', 'claude'], {
      env: {
        PATH: `${dirname(claude.program)}:${process.env.PATH}`,
        ANTHROPIC_API_KEY: 'scripted-key',
        ANTHROPIC_BASE_URL: api.url,
        AXIOM_AGENTS_MODEL: CLAUDE_MODEL,
      },
      timeoutMs: TIMEOUT_MS,
    })
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(JSON.parse(ran.stdout).ava).toMatchObject({ driver: 'claude', result: 'proposal', iterations: 2 })
    const { verification } = JSON.parse(readFileSync(join(root, '.axiom/config.json'), 'utf8'))
    expect(verification).toEqual([
      { name: 'test', command: 'npm test' },
      { name: 'layout', command: 'sh check.sh' },
    ])
    const asked = JSON.stringify(api.requests.map(({ body }) => body))
    expect(asked).toContain('The configuration without you')
    expect(asked).toContain('verification[0]')
    expect(asked).toContain('check.sh')
    expect(ran.stdout + ran.stderr).not.toContain('scripted-key')
  })
})
