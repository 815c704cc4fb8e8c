import { mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { describe, expect, it } from 'vitest'
import { supervise } from '../../src/platform/process/supervise.ts'
import { confine } from '../../src/platform/sandbox/confine.ts'
import { type Confinement, DEFAULT_LIMITS } from '../../src/platform/sandbox/confinement.ts'
import { makeFolder, sandboxHost } from './agent-host.ts'

async function makePlace(): Promise<{ confinement: Confinement; outside: string; given: string }> {
  const top = await makeFolder()
  const [workspace, outside] = [join(top, 'workspace'), join(top, 'outside')]
  const given = join(workspace, 'given/inner')
  for (const folder of [given, outside]) await mkdir(folder, { recursive: true })
  const confinement: Confinement = {
    workspace,
    home: join(top, 'home'),
    temporary: join(top, 'temporary'),
    masked: [],
    readOnly: [],
    readWrite: [],
    network: { kind: 'host' },
    limits: DEFAULT_LIMITS,
  }
  return { confinement, outside, given }
}

const TRUE = { program: 'true', args: [], environment: {} }

describe.each(['bwrap', 'unshare'] as const)('a link that an agent plants, at level %s', (level) => {
  it('at a mount point leads no mount elsewhere', async () => {
    const { confinement, outside, given } = await makePlace()
    const request = await confine(TRUE, { ...confinement, readWrite: [given] }, level, sandboxHost)
    // After the mounts are planned: only what makes them can still notice.
    await rename(join(given, '..'), join(outside, '../before'))
    await symlink(outside, join(given, '..'))
    const running = await supervise(request)
    running.stdin.end()
    let errors = ''
    running.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    running.stdout.resume()
    const [{ exitCode }] = await Promise.all([running.ended, finished(running.stderr)])
    expect(exitCode, errors).not.toBe(0)
    if (level === 'unshare')
      expect([exitCode, errors]).toEqual([97, expect.stringContaining('leads elsewhere')])
    expect(await readdir(outside)).toEqual([])
  })

  it('on the way to a path that is opened for it is refused', async () => {
    const { confinement, outside, given } = await makePlace()
    await symlink(outside, join(given, 'link'))
    const confining = confine(TRUE, { ...confinement, readWrite: [join(given, 'link')] }, level, sandboxHost)
    await expect(confining).rejects.toMatchObject({ code: 'SANDBOX_LINK' })
  })

  it('in its home is not followed when folders are made there for the next run', async () => {
    const { confinement, outside } = await makePlace()
    const home = await makeFolder()
    await mkdir(join(home, '.cargo/bin'), { recursive: true })
    await writeFile(join(home, '.cargo/bin/tool'), '')
    await mkdir(confinement.home)
    await symlink(outside, join(confinement.home, '.cargo'))
    const command = { program: 'test', args: ['-f', join(home, '.cargo/bin/tool')], environment: {} }
    const running = await supervise(await confine(command, confinement, level, { ...sandboxHost, home }))
    running.stdin.end()
    running.stdout.resume()
    running.stderr.resume()
    expect(await running.ended).toMatchObject({ exitCode: 0 })
    expect(await readdir(outside)).toEqual([])
  })
})
