import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { listRefs } from '../../src/platform/git/repository-operations.ts'
import { createWorkspace } from '../../src/workspaces/create-workspace.ts'
import { inspectWorkspace } from '../../src/workspaces/inspect-workspace.ts'
import { emptyTrash, removeWorkspace } from '../../src/workspaces/remove-workspace.ts'
import { listWorkspaces } from '../../src/workspaces/workspace.ts'
import { openScratch, sh } from './scratch.ts'

/** Workspaces that are made, exported and removed side by side, in so many rounds. */
export function useAtOnce(atOnce: number, rounds: number): void {
  it(`makes, exports and removes ${atOnce} workspaces at once, ${rounds} times, without one failure`, async () => {
    const scratch = await openScratch()
    const { ground } = scratch
    const one = async (round: number, slot: number): Promise<string> => {
      const task = `task-${round}-${slot}`
      const workspace = await createWorkspace(ground, { agent: `echo-${slot}`, task, slot })
      sh(workspace.path, `echo ${slot} > file-${slot} && git add -A && git commit -qm ${slot}`)
      const { exported } = await inspectWorkspace(ground, workspace)
      const removal = await removeWorkspace(ground, workspace, 'landed')
      return `${exported.kind} ${removal.kind} ${removal.rescued.length}`
    }
    for (let round = 0; round < rounds; round += 1) {
      const slots = Array.from({ length: atOnce }, (_, slot) => slot)
      const outcomes = await Promise.all(slots.map((slot) => one(round, slot)))
      expect(outcomes).toEqual(slots.map(() => 'exported removed 0'))
    }
    expect(await listWorkspaces(ground)).toEqual([])
    expect((await listRefs(ground.git, ground.integration, 'refs/axiom/runs')).size).toBe(atOnce * rounds)
    expect([...(await listRefs(ground.git, ground.integration, 'refs/heads')).keys()]).toEqual([
      'refs/heads/main',
    ])
    await emptyTrash(ground)
    expect((await readdir(ground.workspacesDir)).toSorted()).toEqual(['.trash'])
    expect(sh(ground.integration.gitDir, 'git fsck --full 2>&1; find . -name "*.lock"')).toBe('')
    scratch.remove()
    expect(existsSync(scratch.root)).toBe(false)
  })
}
