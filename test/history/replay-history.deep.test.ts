import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Replayed, replayHistory } from './replay-history.ts'
import { SAMPLES } from './sample-repositories.ts'

const TIMEOUT_MS = 600_000
const OWN_COMMITS = 5

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'axiom-history-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function replay(repository: string, count: number): Promise<Replayed> {
  const place = join(folder, 'replay')
  mkdirSync(place)
  return replayHistory({ repository, count, folder: place, agents: 3, timeoutMs: TIMEOUT_MS })
}

function expectSame({ tasks, landed, wantedTree, recordTree, userTree, exitCode, stderr }: Replayed): void {
  expect({ landed, recordTree, userTree, exitCode }, stderr).toEqual({
    ...{ landed: tasks, recordTree: wantedTree, userTree: wantedTree, exitCode: 0 },
  })
}

it.each(SAMPLES)(
  'comes to the same tree: $name',
  async ({ make, commits }) => {
    const repository = join(folder, 'repository')
    mkdirSync(repository)
    make(repository)
    const done = await replay(repository, commits)
    expect(done.tasks).toBeGreaterThan(1)
    expectSame(done)
    expect(existsSync(join(done.user, 'pwned'))).toBe(false)
  },
  TIMEOUT_MS,
)

it(
  "comes to the same tree with this project's own history",
  async () => {
    const own = resolve(import.meta.dirname, '../..')
    // An installed copy has no history; then the samples have to do.
    const inside = execFileSync('git', ['rev-list', '--count', 'HEAD'], { cwd: own, encoding: 'utf8' })
    const done = await replay(own, Math.min(OWN_COMMITS, Number(inside) - 1))
    expectSame(done)
  },
  TIMEOUT_MS,
)
