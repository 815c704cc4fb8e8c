import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Failure } from '../../src/platform/failure.ts'
import type { Git } from '../../src/platform/git/git.ts'
import { createWorkspace } from '../../src/workspaces/create-workspace.ts'
import { removeWorkspace } from '../../src/workspaces/remove-workspace.ts'
import { restart } from './nothing-lost.ts'
import { openScratch, sh } from './scratch.ts'

/** A small file system of its own; where that is not allowed, a limit on every file that git writes. */
function smallDisk(folder: string): { fill(): void; free(): void; unmount(): void } | undefined {
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  const filler = join(folder, 'filler')
  return {
    fill: () => sh(folder, `dd if=/dev/zero of=${filler} bs=64k 2>/dev/null || true`),
    free: () => sh(folder, `rm -f ${filler}`),
    unmount: () => execFileSync('umount', ['-l', folder]),
  }
}

const fullDiskGit = (git: Git): Git => {
  const full = (): Promise<never> => Promise.reject(new Failure('GIT_DISK_FULL', 'No space left on device'))
  return {
    ...git,
    run: (place, words, options) => (words[0] === 'add' ? full() : git.run(place, words, options)),
  }
}

it('keeps a workspace when the disk is too full to save it, and saves it when there is room again', async () => {
  const folder = join(tmpdir(), `axiom-disk-${process.pid}`)
  const disk = smallDisk(folder)
  const scratch = await openScratch(undefined, folder)
  try {
    const workspace = await createWorkspace(scratch.ground, { agent: 'echo-001', task: 'task-001', slot: 0 })
    sh(workspace.path, 'echo committed > c && git add -A && git commit -qm c')
    writeFileSync(
      join(workspace.path, 'work.bin'),
      createHash('sha512').update('x').digest().toString('hex').repeat(4_000),
    )
    disk?.fill()
    const ground = disk ? scratch.ground : { ...scratch.ground, git: fullDiskGit(scratch.ground.git) }
    const first = await removeWorkspace(ground, workspace, 'disk').catch((error: unknown) => error)
    expect(first).not.toMatchObject({ kind: 'removed' })
    expect(statSync(join(workspace.path, 'work.bin')).size).toBe(512_000)
    disk?.free()
    const second = await removeWorkspace(await restart(scratch), workspace, 'disk')
    expect(second.kind).toBe('removed')
    expect(
      sh(
        scratch.ground.integration.gitDir,
        `git cat-file -s refs/axiom/rescue/${workspace.name}/1/tree:work.bin`,
      ),
    ).toBe('512000')
    expect(sh(scratch.ground.integration.gitDir, 'git fsck --full 2>&1')).toBe('')
  } finally {
    disk?.unmount()
    scratch.remove()
    execFileSync('rm', ['-rf', folder])
  }
})
