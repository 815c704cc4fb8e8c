import { chmod, lstat, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NO_CREDENTIALS } from '../../src/agents/credentials.ts'
import { collect, endOf, messagesOf } from '../../src/agents/driver.contract.ts'
import { claudeDriver } from '../../src/agents/drivers/claude.ts'
import { commandDriver } from '../../src/agents/drivers/command.ts'
import { hostAt, makeFolder, makeRequest, programs } from './agent-host.ts'

const level = 'bwrap'

async function endOfClaude(script: string) {
  const program = join(await makeFolder(), 'claude')
  await writeFile(program, `#!/bin/sh\n${script}\n`)
  await chmod(program, 0o755)
  const driver = claudeDriver(hostAt(level), { program, credentials: NO_CREDENTIALS })
  return endOf(await collect(await driver.start(await makeRequest())))
}

const INIT = `echo '{"type":"system","subtype":"init","session_id":"s","model":"m"}'`
const result = (fields: object) =>
  `echo '${JSON.stringify({ type: 'result', subtype: 'success', is_error: true, ...fields })}'; exit 1`

describe('a clear, coded outcome', () => {
  it('for a program that is not there', async () => {
    const settings = { program: 'no-such-agent', credentials: NO_CREDENTIALS }
    const starting = claudeDriver(hostAt(level), settings).start(await makeRequest())
    await expect(starting).rejects.toMatchObject({ code: 'PREREQ_NO_AGENT' })
  })

  it('for a command that is not configured', async () => {
    const starting = commandDriver(hostAt(level), { command: [], folder: programs }).start(
      await makeRequest(),
    )
    await expect(starting).rejects.toMatchObject({ code: 'AGENT_REQUEST_INVALID' })
  })

  it('for a network mode that cannot be held', async () => {
    const host = hostAt('process-group', { network: { kind: 'none' } })
    const starting = commandDriver(host, { command: ['true'], folder: programs }).start(await makeRequest())
    await expect(starting).rejects.toMatchObject({ code: 'SANDBOX_NETWORK_UNSUPPORTED' })
  })

  it.each([
    [
      'is logged out',
      `${INIT}; ${result({ result: 'Not logged in · Please run /login' })}`,
      'failed',
      'AGENT_LOGGED_OUT',
    ],
    [
      'has a bad key',
      `${INIT}; ${result({ api_error_status: 401, result: 'no' })}`,
      'failed',
      'AGENT_LOGGED_OUT',
    ],
    [
      'knows no such model',
      `${INIT}; ${result({ api_error_status: 404, result: 'no' })}`,
      'failed',
      'AGENT_MODEL_UNKNOWN',
    ],
    [
      'is overloaded',
      `${INIT}; ${result({ api_error_status: 529, result: 'no' })}`,
      'rate-limited',
      'AGENT_OVERLOADED',
    ],
    ['refuses its arguments', 'echo "error: requires --verbose" >&2; exit 1', 'failed', 'AGENT_FAILED'],
    [
      'has a broken playbook',
      'echo "playbook: line 3: unknown step" >&2; exit 2',
      'failed',
      'AGENT_PLAYBOOK_INVALID',
    ],
    ['prints binary', 'head -c 100000 /dev/urandom', 'failed', 'AGENT_OUTPUT_INVALID'],
    ['says nothing', 'exit 0', 'failed', 'AGENT_OUTPUT_INVALID'],
    ['goes away in the middle', `${INIT}; exit 0`, 'crashed', 'AGENT_CRASHED'],
    ['is killed', `${INIT}; kill -9 $$`, 'crashed', 'AGENT_CRASHED'],
    ['succeeds and fails', `${INIT}; ${result({ is_error: false })}`, 'failed', 'AGENT_FAILED'],
  ])('for a program that %s', async (_what, script, reason, code) => {
    expect(await endOfClaude(script)).toMatchObject({ reason, error: { code } })
  })

  it('for a command that prints binary: it is one message, harmless', async () => {
    const driver = commandDriver(hostAt(level), {
      command: ['head', '-c', '100000', '/dev/urandom'],
      folder: programs,
    })
    const events = await collect(await driver.start(await makeRequest()))
    expect(endOf(events).reason).toBe('completed')
    expect(events.filter((event) => event.type === 'speech' && event.ends)).toHaveLength(1)
  })
})

describe('a link that an agent left in its private folder', () => {
  it('is not followed when the next run writes there', async () => {
    const outside = join(await makeFolder(), 'precious')
    await writeFile(outside, 'precious')
    const request = await makeRequest()
    await mkdir(join(request.folder, 'home'), { recursive: true })
    await symlink(outside, join(request.folder, 'home/.system-prompt.md'))
    const driver = commandDriver(hostAt(level), {
      command: ['sh', '-c', 'cat "$AXIOM_SYSTEM_PROMPT"'],
      folder: programs,
    })
    const events = await collect(await driver.start(request))
    expect(messagesOf(events)).toEqual(['be good'])
    expect(await readFile(outside, 'utf8')).toBe('precious')
    expect((await lstat(outside)).uid).toBe(process.getuid?.())
  })
})
