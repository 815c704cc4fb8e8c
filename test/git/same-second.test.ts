import { statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorkspace } from '../../src/workspaces/create-workspace.ts'
import { inspectWorkspace } from '../../src/workspaces/inspect-workspace.ts'
import { emptyTrash, removeWorkspace } from '../../src/workspaces/remove-workspace.ts'
import { rescueWorkspace } from '../../src/workspaces/rescue-workspace.ts'
import { observerOf, type Workspace } from '../../src/workspaces/workspace.ts'
import { openScratch, type Scratch, sh, write } from './scratch.ts'

const FILE = 'loose.txt'
const BEFORE = 'as it was seen'
/** Of the same length. */
const AFTER = 'as it is since'
/** The second in which all of it happens; any that is over by now. */
const SECOND = Math.floor(Date.now() / 1_000) - 60

let scratch: Scratch
let workspace: Workspace
beforeEach(async () => {
  scratch = await openScratch()
  workspace = await createWorkspace(scratch.ground, { agent: 'echo-001', task: 'task-001', slot: 0 })
  // The one time that nobody can set by hand; in the same second it would not tell anything either.
  sh(observer(), 'git config core.trustctime false')
})
afterEach(() => scratch.remove())

const observer = (): string => observerOf(scratch.ground, workspace.name).gitDir

function agentWrites(text: string): void {
  write(workspace.path, { [FILE]: text })
  utimesSync(join(workspace.path, FILE), SECOND, SECOND)
}

/** The agent writes, AXIOM looks, and the agent writes as much again, all within one second. */
async function seenTooEarly(look: () => Promise<unknown>): Promise<void> {
  agentWrites(BEFORE)
  await look()
  utimesSync(join(observer(), 'index'), SECOND, SECOND)
  agentWrites(AFTER)
  expect(statSync(join(workspace.path, FILE)).size).toBe(BEFORE.length)
}

const inspect = () => inspectWorkspace(scratch.ground, workspace)
const rescue = () => rescueWorkspace(scratch.ground, workspace, 'test')

describe('a file that changes in the second in which AXIOM looked at it, and keeps its length', () => {
  it('counts as committed when it is committed', async () => {
    await seenTooEarly(rescue)
    sh(workspace.path, 'git add -A && git commit -qm work')
    expect((await inspect()).uncommitted).toEqual([])
  })

  it('counts as uncommitted when only what was seen before is committed', async () => {
    agentWrites(BEFORE)
    sh(workspace.path, 'git add -A && git commit -qm work')
    await seenTooEarly(inspect)
    expect((await inspect()).uncommitted).toEqual([{ status: 'M', path: FILE }])
  })

  it('is saved as it is when the workspace is removed', async () => {
    await seenTooEarly(rescue)
    await removeWorkspace(scratch.ground, workspace, 'test')
    await emptyTrash(scratch.ground)
    const { gitDir } = scratch.ground.integration
    const refs = sh(gitDir, "git for-each-ref --format='%(refname)' refs/axiom/rescue").split('\n')
    const saved = refs.map((ref) => sh(gitDir, `git cat-file blob '${ref}:${FILE}'`))
    expect(saved.toSorted()).toEqual([AFTER, BEFORE].toSorted())
  })
})
