import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HomeNeed } from '../../src/director/agents/agent-home.ts'
import { type AgentHome, openAgentHome } from '../../src/director/agents/agent-home.ts'
import { type CleanGround, cleanDisk } from '../../src/director/chores/clean-disk.ts'
import { measureDisk } from '../../src/health/measure-machine.ts'
import { createWorkspace } from '../../src/workspaces/create-workspace.ts'
import type { Workspace } from '../../src/workspaces/workspace.ts'
import { openScratch, type Scratch, sh } from '../git/scratch.ts'

const NOW_MS = Date.parse('2026-06-01T00:00:00Z')
const DAY_MS = 86_400_000

let scratch: Scratch
let place: CleanGround
let asked: string[]
let running: string[]

beforeEach(async () => {
  scratch = await openScratch()
  asked = []
  running = []
  const folder = join(scratch.root, 'axiom')
  mkdirSync(folder, { recursive: true })
  place = {
    ground: scratch.ground,
    folder,
    keepMs: 7 * DAY_MS,
    now: () => NOW_MS,
    checkpoints: {
      list: async () => ['checkpoint-001'],
      remove: async (name) => {
        asked.push(name)
      },
    },
    running: async () => running,
    freeBytes: measureDisk,
  }
})
afterEach(() => scratch.remove())

async function workspaceOf(task: string, agent = `echo-${task.slice(-3)}`): Promise<Workspace> {
  const workspace = await createWorkspace(scratch.ground, { agent, task, slot: 0 })
  writeFileSync(join(workspace.path, 'loose.txt'), `unsaved work of ${task}\n`)
  return workspace
}

function oldFile(path: string, text: string, daysOld: number): void {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
  const at = new Date(NOW_MS - daysOld * DAY_MS)
  utimesSync(path, at, at)
}

/** What any ref of the integration repository still has of a file. */
function savedText(file: string): string {
  const { gitDir } = scratch.ground.integration
  const refs = sh(gitDir, "git for-each-ref --format='%(refname)' refs/axiom/rescue").split('\n')
  return refs
    .filter(Boolean)
    .map((ref) => sh(gitDir, `git show ${ref}:${file} 2>/dev/null || true`))
    .join('\n')
}

describe('cleaning', () => {
  it('after a landing removes that workspace alone, with what lay in it saved', async () => {
    const landed = await workspaceOf('task-001')
    const other = await workspaceOf('task-002')
    const { removed } = await cleanDisk(place, { reason: 'landed', landed: ['task-001'] })
    expect(removed).toEqual([landed.name])
    expect(existsSync(landed.path)).toBe(false)
    expect(existsSync(other.path)).toBe(true)
    expect(savedText('loose.txt')).toContain('unsaved work of task-001')
    expect(asked).toEqual([])
  })

  it('removes the workspace of a deleted task, with what lay in it saved, but not while somebody works there', async () => {
    const deleted = await workspaceOf('task-001')
    const atWork = await workspaceOf('task-002')
    const waiting = await workspaceOf('task-003')
    const merging = await workspaceOf('merge', 'rex-001')
    const orphaned = await workspaceOf('task-004')
    running.push('echo-004')
    const { removed } = await cleanDisk(place, {
      reason: 'retention',
      landed: [],
      atWork: ['task-002'],
      isDeleted: (task) => ['task-001', 'task-002', 'task-004'].includes(task),
    })
    expect(removed).toEqual([deleted.name])
    for (const { path } of [atWork, waiting, merging, orphaned]) expect(existsSync(path)).toBe(true)
    expect(savedText('loose.txt')).toContain('unsaved work of task-001')
  })

  it('by retention removes failed workspaces only when their time is over', async () => {
    const old = await workspaceOf('task-001')
    const young = await workspaceOf('task-002')
    const { removed } = await cleanDisk(place, {
      reason: 'retention',
      landed: [],
      failed: [
        { task: 'task-001', endedAtMs: NOW_MS - 8 * DAY_MS },
        { task: 'task-002', endedAtMs: NOW_MS - 6 * DAY_MS },
      ],
    })
    expect(removed).toEqual([old.name])
    expect(existsSync(young.path)).toBe(true)
    expect(savedText('loose.txt')).toContain('unsaved work of task-001')
  })

  it('with the workspaces removes the homes in which nobody can go on, and no other', async () => {
    const needs: Record<string, HomeNeed> = {
      'echo-001': { kind: 'over' },
      'echo-002': { kind: 'needed' },
      'echo-003': { kind: 'over' },
      'echo-004': { kind: 'failed', endedAtMs: NOW_MS - 8 * DAY_MS },
      'echo-005': { kind: 'failed', endedAtMs: NOW_MS - 6 * DAY_MS },
    }
    for (const agent of Object.keys(needs)) {
      const path = await openAgentHome(place.folder, agent, `task-${agent.slice(-3)}`)
      oldFile(join(path, 'home/.sessions/one'), 'a session', 1)
      oldFile(join(path, 'temporary/one'), 'a file', 1)
    }
    // Made by a version that noted no task.
    oldFile(join(place.folder, 'private/echo-000/home/session'), 'a session', 1)
    // Noted, but not begun.
    await openAgentHome(place.folder, 'echo-006', 'task-006')
    oldFile(join(place.folder, 'private/checks/home/cache'), 'of no agent', 1)
    oldFile(join(place.folder, 'private/open.html'), 'of no agent', 1)
    const outside = join(scratch.root, 'outside')
    oldFile(join(outside, 'home/mine'), 'mine', 1)
    symlinkSync(join(outside, 'home'), join(place.folder, 'private/echo-000/home/link'))
    running.push('echo-003')
    const asked: AgentHome[] = []
    const { removed, kept } = await cleanDisk(place, {
      reason: 'retention',
      landed: [],
      needOf(home) {
        asked.push(home)
        return needs[home.agent] ?? { kind: 'over' }
      },
    })
    expect(kept).toEqual([])
    expect(removed).toEqual(['echo-000/home', 'echo-001/home', 'echo-004/home'])
    expect(asked.map(({ agent, tasks }) => [agent, ...tasks])).toEqual([
      ['echo-000'],
      ['echo-001', 'task-001'],
      ['echo-002', 'task-002'],
      ['echo-004', 'task-004'],
      ['echo-005', 'task-005'],
    ])
    expect(readdirSync(join(place.folder, 'private')).toSorted()).toEqual([
      'checks',
      'echo-002',
      'echo-003',
      'echo-005',
      'echo-006',
      'open.html',
    ])
    for (const agent of ['echo-002', 'echo-003', 'echo-005'])
      expect(existsSync(join(place.folder, 'private', agent, 'home/.sessions/one'))).toBe(true)
    expect(readdirSync(scratch.ground.trashDir)).toEqual([])
    expect(existsSync(join(outside, 'home/mine'))).toBe(true)
  })

  it('on a short disk takes every step that needs no consent, and leaves what is in use', async () => {
    const failed = await workspaceOf('task-001')
    const busy = await workspaceOf('task-002')
    const waiting = await workspaceOf('task-003')
    const loose = (): string => sh(scratch.ground.integration.gitDir, 'git count-objects')
    sh(scratch.ground.integration.gitDir, 'echo loose | git hash-object -w --stdin')
    expect(loose()).not.toMatch(/^0 objects/)
    oldFile(join(place.folder, 'private/echo-009/temporary/big'), 'x'.repeat(1_000), 1)
    oldFile(join(place.folder, 'private/echo-002/temporary/mine'), 'in use', 1)
    oldFile(join(place.folder, 'private/echo-009/home/session'), 'kept', 1)
    oldFile(join(place.folder, 'agents/echo/logs/task-009.jsonl'), '{"event":"start"}\n', 3)
    oldFile(join(place.folder, 'agents/echo/logs/task-002.jsonl'), '{"event":"start"}\n', 3)
    oldFile(join(place.folder, 'logs/echo-009-task-009.log'), 'young', 0.5)
    const { removed, kept, byConsent } = await cleanDisk(place, {
      reason: 'disk',
      landed: [],
      failed: [{ task: 'task-001', endedAtMs: NOW_MS - DAY_MS }],
      atWork: ['echo-002', 'task-002'],
    })
    expect(kept).toEqual([])
    expect(byConsent).toEqual(['checkpoint-001', failed.name])
    expect(removed).toEqual(['echo-009/temporary/big', 'task-009.jsonl'])
    for (const { path } of [failed, busy, waiting]) expect(existsSync(path)).toBe(true)
    expect(readdirSync(join(place.folder, 'private/echo-002/temporary'))).toEqual(['mine'])
    expect(existsSync(join(place.folder, 'private/echo-009/home/session'))).toBe(true)
    const logs = readdirSync(join(place.folder, 'agents/echo/logs')).toSorted()
    expect(logs).toEqual(['task-002.jsonl', expect.stringMatching(/^task-009\.jsonl\.\d+\.gz$/)])
    const packed = readFileSync(join(place.folder, 'agents/echo/logs', logs[1] ?? ''))
    expect(gunzipSync(packed).toString()).toBe('{"event":"start"}\n')
    expect(existsSync(join(place.folder, 'logs/echo-009-task-009.log'))).toBe(true)
    expect(loose()).toMatch(/^0 objects/)
    sh(scratch.ground.integration.gitDir, 'git fsck --no-dangling')
    expect(asked).toEqual([])
  })

  it('with consent goes on to checkpoints and failed workspaces, saved first', async () => {
    const failed = await workspaceOf('task-001')
    const order = {
      reason: 'disk' as const,
      landed: [],
      failed: [{ task: 'task-001', endedAtMs: NOW_MS - DAY_MS }],
      bytesWanted: 10 ** 15,
      consent: true,
    }
    const { removed } = await cleanDisk(place, order)
    expect(removed).toEqual(['checkpoint-001', failed.name])
    expect(existsSync(failed.path)).toBe(false)
    expect(savedText('loose.txt')).toContain('unsaved work of task-001')
  })

  it('stops as soon as there is enough', async () => {
    const landed = await workspaceOf('task-001')
    oldFile(join(place.folder, 'agents/echo/logs/task-009.jsonl'), '{}\n', 3)
    const clean = (bytesWanted: number) =>
      cleanDisk(
        { ...place, freeBytes: async () => 1_000 },
        { reason: 'disk', landed: ['task-001'], bytesWanted },
      )
    expect((await clean(0)).removed).toEqual([])
    expect(existsSync(landed.path)).toBe(true)
    expect((await clean(1)).removed).toContain(landed.name)
  })

  it('keeps a workspace whose work cannot be saved, and goes on with the rest', async () => {
    const broken = await workspaceOf('task-001')
    const sound = await workspaceOf('task-002')
    sh(
      broken.path,
      `echo gone > gone.txt && git add -A && git commit -qm gone
       blob=$(git rev-parse HEAD:gone.txt) && rm -f .git/objects/$(echo $blob | cut -c1-2)/$(echo $blob | cut -c3-)`,
    )
    const { removed, kept } = await cleanDisk(place, { reason: 'landed', landed: ['task-001', 'task-002'] })
    expect(removed).toEqual([sound.name])
    expect(kept).toMatchObject([{ name: broken.name }])
    expect(kept[0]?.reasons.length).toBeGreaterThan(0)
    expect(existsSync(join(broken.path, 'gone.txt'))).toBe(true)
  })
})
