import { constants } from 'node:fs'
import { lstat, mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { AgentHost } from './agent-run.ts'
import type { AgentRequest } from './driver.ts'

/**
 * Writes a file into the agent's private HOME and returns its path inside the sandbox. The agent owned that
 * folder in its last run, so a link it may have left on the way is removed, never followed.
 */
export async function putPrivateFile(
  host: AgentHost,
  request: AgentRequest,
  name: string,
  content: string,
): Promise<string> {
  const home = join(request.folder, 'home')
  await makeFolder(home)
  const folders = dirname(name) === '.' ? [] : dirname(name).split('/')
  let folder = home
  for (const part of folders) {
    folder = join(folder, part)
    await makeFolder(folder)
  }
  const path = join(home, name)
  await rm(path, { recursive: true, force: true })
  const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW
  const file = await open(path, flags, 0o600)
  try {
    await file.writeFile(content)
  } finally {
    await file.close()
  }
  return join(host.level === 'process-group' ? home : host.sandbox.home, name)
}

async function makeFolder(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (found?.isDirectory()) return
  if (found) await rm(path, { force: true })
  await mkdir(path, { recursive: true, mode: 0o700 })
}
