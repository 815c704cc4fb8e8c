import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findCredentials } from '../../src/agents/credentials.ts'
import { collect } from '../../src/agents/driver.contract.ts'
import { claudeDriver } from '../../src/agents/drivers/claude.ts'
import { commandDriver } from '../../src/agents/drivers/command.ts'
import { listSecretsOf } from '../../src/agents/list-secrets.ts'
import { hostAt, levels, makeFolder, makeRequest, programs } from './agent-host.ts'

const CANARIES = 20

/** Everything an agent can find about itself and its neighbours, printed without shame, on both streams. */
const TELL_ALL = [
  'env',
  'for p in /proc/[0-9]*; do tr "\\0" "\\n" < $p/environ 2>/dev/null; tr "\\0" " " < $p/cmdline 2>/dev/null; done',
  'cat "$HOME"/.netrc "$HOME"/.claude/.credentials.json /proc/1/environ 2>/dev/null',
  'env >&2; exit 3',
].join('; ')

function canaries(kind: string): string[] {
  return Array.from({ length: CANARIES }, () => `${kind}-${randomUUID()}`)
}

async function textUnder(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n')
}

describe.each(levels)('F26: secrets at level %s', (level) => {
  it('of the user never reach an agent, its log, its events or its errors', async () => {
    const secrets = canaries('of-the-user')
    const environment = {
      ...process.env,
      ...Object.fromEntries(secrets.map((secret, number) => [`CANARY_TOKEN_${number}`, secret])),
    }
    const home = await makeFolder()
    await writeFile(join(home, '.netrc'), secrets.join('\n'))
    // Without a namespace every environment can be read: there only the redactor stands between.
    const known = level === 'process-group' ? listSecretsOf(environment) : []
    const host = hostAt(level, { sandbox: { environment, home }, secrets: known })
    const request = await makeRequest()
    const driver = commandDriver(host, { command: ['sh', '-c', TELL_ALL], folder: programs })
    const neighbour = spawn('sleep', ['60'], { env: environment, stdio: 'ignore' })
    const events = JSON.stringify(await collect(await driver.start(request)))
    neighbour.kill()
    const log = await textUnder(join(request.logFile, '..'))
    expect(log).toContain('AXIOM_TASK_ID=task-001')
    expect(secrets.filter((secret) => `${events}${log}`.includes(secret))).toEqual([])
  })

  it('that agents are given are never seen again, not even in what they print', async () => {
    const secrets = canaries('given')
    const environment = Object.fromEntries(secrets.map((secret, number) => [`GIVEN_TOKEN_${number}`, secret]))
    const host = hostAt(level, { secrets: listSecretsOf(environment) })
    const request = await makeRequest({ environment })
    const driver = commandDriver(host, { command: ['sh', '-c', TELL_ALL], folder: programs })
    const events = JSON.stringify(await collect(await driver.start(request)))
    const log = await textUnder(join(request.logFile, '..'))
    expect(log).toContain('GIVEN_TOKEN_0=[redacted]')
    expect(secrets.filter((secret) => `${events}${log}`.includes(secret))).toEqual([])
  })

  it('in a login file are copied without what renews the login, and redacted', async () => {
    const home = await makeFolder()
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`]
    await mkdir(join(home, '.claude'))
    const login = { claudeAiOauth: { accessToken: access, refreshToken: refresh, expiresAt: 1 } }
    await writeFile(join(home, '.claude/.credentials.json'), JSON.stringify(login))
    const credentials = await findCredentials('claude', {}, home)
    const request = await makeRequest()
    const program = join(await makeFolder(), 'teller')
    await writeFile(program, `#!/bin/sh\necho "it is $(cat "$HOME/.claude/.credentials.json")"\n`, {
      mode: 0o755,
    })
    const events = JSON.stringify(
      await collect(await claudeDriver(hostAt(level), { program, credentials }).start(request)),
    )
    const log = await readFile(request.logFile, 'utf8')
    expect(log).toContain('it is {"claudeAiOauth":{"accessToken":"[redacted]","expiresAt":1}}')
    expect(`${events}${log}`).not.toContain(access)
    expect(await textUnder(request.folder)).not.toContain(refresh)
  })
})
