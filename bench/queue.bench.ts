import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Entry } from '../src/integration/entry.ts'
import { landBatch } from '../src/integration/land-candidates.ts'
import type { LandingGround } from '../src/integration/landing-ground.ts'
import { type BatchWindow, firstWindow, nextWindow } from '../src/integration/plan-batch.ts'
import { moveRefs } from '../src/platform/git/repository-operations.ts'
import { Turnstile } from '../src/platform/turnstile.ts'
import { entry, type IntegrationScratch, openIntegrationScratch } from '../test/integration/scratch.ts'
import { atLeast, atMost, type Report } from './measure.ts'

const FAILURES = 0.05
const MANY = 240
const WAITING = 64
const CHECK_SECONDS = 2
const SEED = 7
const RUNS_RATIO_MAX = 0.45
const SPEED_RATIO_MIN = 2

/** One way of emptying the queue, with its cost so far. */
interface Side {
  readonly ground: LandingGround
  queue: Entry[]
  window: BatchWindow
  readonly batches: boolean
  landed: number
  runs: number
  elapsedMs: number
}

export async function run(report: Report): Promise<void> {
  const quick = await race(MANY, 'test ! -e broken')
  const each = quick.map(({ runs, landed }) => runs / landed)
  const [batched = Number.NaN, serial = Number.NaN] = each
  report({
    name: 'queue',
    metric: `verifier runs per landed task at ${FAILURES * 100} % failures, ${MANY} tasks`,
    value: batched,
    unit: 'runs',
    limit: serial,
    ratio: batched / serial,
    ...atMost(RUNS_RATIO_MAX)(batched / serial),
  })
  const slow = await race(WAITING, `sleep ${CHECK_SECONDS}; test ! -e broken`)
  const perMinute = slow.map(({ landed, elapsedMs }) => landed / (elapsedMs / 60_000))
  const [ours = Number.NaN, theirs = Number.NaN] = perMinute
  report({
    name: 'queue',
    metric: `landed tasks with a ${CHECK_SECONDS} s check, ${WAITING} waiting`,
    value: ours,
    unit: 'per minute',
    limit: theirs,
    ratio: ours / theirs,
    ...atLeast(SPEED_RATIO_MIN)(ours / theirs),
  })
}

/** The same queue emptied in batches and one by one, alternating, so that both run under the same load. */
async function race(count: number, check: string): Promise<readonly Side[]> {
  await using scratch = await openIntegrationScratch({ 'check.sh': check, 'readme.md': 'A sample\n' })
  const entries = await makeEntries(scratch, count)
  const sides = [
    await openSide(scratch, 'batched', entries, true),
    await openSide(scratch, 'serial', entries, false),
  ]
  while (sides.some(({ queue }) => queue.length > 0)) {
    for (const side of sides) if (side.queue.length > 0) await step(side)
  }
  const wanted = await treeOf(scratch, 'serial')
  if ((await treeOf(scratch, 'batched')) !== wanted)
    throw new Error('the two ways did not end with the same tree')
  return sides
}

async function makeEntries(scratch: IntegrationScratch, count: number): Promise<Entry[]> {
  let state = SEED
  const entries: Entry[] = []
  for (let i = 0; i < count; i += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const fails = state / 2 ** 32 < FAILURES
    const files = { [`work/${i}`]: `${i}\n`, ...(fails ? { broken: 'yes\n' } : {}) }
    entries.push(entry(`task-${i}`, await scratch.commit(scratch.first, files)))
  }
  return entries
}

async function openSide(
  scratch: IntegrationScratch,
  target: string,
  queue: Entry[],
  batches: boolean,
): Promise<Side> {
  const { git, repository } = scratch.ground
  await moveRefs(git, repository, [{ ref: `refs/heads/${target}`, to: scratch.first, from: undefined }])
  const ground: LandingGround = {
    ...scratch.ground,
    target,
    writing: new Turnstile(1),
    verify: (commit) => check(scratch, commit),
    holdsFence: async () => true,
  }
  return { ground, queue, window: firstWindow(), batches, landed: 0, runs: 0, elapsedMs: 0 }
}

async function step(side: Side): Promise<void> {
  const size = side.batches ? side.window.size : 1
  const startedMs = performance.now()
  const { landings, runs } = await landBatch(side.ground, side.queue.slice(0, size))
  side.elapsedMs += performance.now() - startedMs
  side.runs += runs
  const settled = [...landings].filter(([, { kind }]) => kind !== 'deferred')
  const landed = settled.filter(([, { kind }]) => kind === 'landed').length
  side.landed += landed
  side.window = nextWindow(side.window, landed, settled.length - landed)
  side.queue = side.queue.filter(({ task }) => !settled.some(([name]) => name === task))
}

/** A fresh checkout of the commit, and its check as a program. */
function check(
  scratch: IntegrationScratch,
  commit: string,
): Promise<{ kind: 'green' | 'red'; evidence: string }> {
  const folder = mkdtempSync(join(scratch.root, 'checkout-'))
  const line = `git archive ${commit} | tar -x -C ${folder}; cd ${folder}; sh check.sh; code=$?; rm -rf ${folder}; exit $code`
  return new Promise((done) => {
    execFile('sh', ['-c', line], { cwd: scratch.integration.gitDir }, (error) =>
      done({ kind: error === null ? 'green' : 'red', evidence: commit }),
    )
  })
}

function treeOf({ ground }: IntegrationScratch, target: string): Promise<string> {
  return ground.git.text(ground.repository, ['rev-parse', `refs/heads/${target}^{tree}`])
}
