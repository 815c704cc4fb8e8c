import { afterEach, describe, expect, it } from 'vitest'
import type { ResolveResult } from '../../src/director/hands.ts'
import { resolveConflict } from '../../src/director/land/conflict/resolve-conflict.ts'
import { openLandingHands } from '../../src/director/land/open-landing-hands.ts'
import { landingMetadata, newLanding } from '../../src/integration/landing-record.ts'
import { RunControl } from '../../src/runs/run-control.ts'
import type { Entry } from '../../src/sim/playbook.ts'
import type { Step } from '../../src/sim/step.ts'
import { queuedEntries } from './queue.ts'
import { type LandingScene, openLandingScene, sh } from './scene.ts'

const BASE = 'one\ntwo\nthree\n'
const OURS = 'one\nTWO by ours\nthree\n'
const THEIRS = 'one\ntwo by THEIRS\nthree\n'
const BOTH = 'one\nTWO by ours and THEIRS\nthree\n'
/** Both sides must be there, once they meet. */
const CHECK = '! grep -q TWO list.txt || ! test -f theirs || grep -q THEIRS list.txt'

let scene: LandingScene
afterEach(() => scene.close())

const resolver = (iteration: number | [number, number], steps: Step[]): Entry => ({
  ...{ role: 'resolver', iteration, steps },
})
const settle = (text: string): Step[] => [
  { do: 'edit', file: 'list.txt', write: text },
  { do: 'run', command: 'git add -A', mustPass: true },
  { do: 'run', command: 'git commit -qm "fix: resolve merge conflict"', mustPass: true },
]
const resolved: Step = { do: 'signal', tag: 'RESOLVED' }

/** A task that landed, and one whose work meets it. */
async function meet(entries: Entry[]) {
  scene = await openLandingScene({ entries, verification: [CHECK] })
  const { world } = scene
  const hands = await openLandingHands(world, { holder: 'dex-001', userEnvironment: {} })
  await scene.queue('Lay the list', { 'list.txt': BASE })
  await hands.land({ entries: await queuedEntries(world) })
  const begun = await scene.target()
  const ours = await scene.queue('Write two our way', { 'list.txt': OURS }, { base: begun })
  const landedFirst = await hands.land({ entries: (await queuedEntries(world)).slice(-1) })
  expect(landedFirst.landings.get(ours.task)?.kind).toBe('landed')
  const theirs = await scene.queue(
    'Write two their way',
    { 'list.txt': THEIRS, theirs: '' },
    { base: begun, metadata: { acceptanceCriteria: ['list.txt says THEIRS'] } },
  )
  const entry = (await queuedEntries(world)).find(({ task }) => task === theirs.task)
  if (!entry) throw new Error('not in the queue')
  const landing = (await hands.land({ entries: [entry] })).landings.get(theirs.task)
  if (landing?.kind !== 'conflict') throw new Error(`${landing?.kind}`)
  return { hands, ours, theirs, entry, landing }
}

async function resolve({ entry, landing }: Awaited<ReturnType<typeof meet>>): Promise<ResolveResult> {
  await scene.commit({ kind: 'claim', id: entry.task, stage: 'resolve', holder: 'rex-001', ttlMs: 60_000 })
  const task = await scene.task(entry.task)
  const fence = task.leases?.resolve?.fence ?? 0
  const { target } = landing
  const files = landing.conflict.files.map(({ path }) => path)
  const order = { agent: 'rex-001', task, slot: 0, control: new RunControl(), entry, fence, target, files }
  return resolveConflict(scene.world, order)
}

const seen = (task: string, number: number) =>
  JSON.stringify(
    scene
      .read(`agents/rex/logs/${task}.jsonl`)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .find((line) => line.event === 'iteration' && line.number === number) ?? {},
  )

describe('a resolver', () => {
  it('stands in the middle of a merge, knows both tasks, and lands what he made of them', async () => {
    const look = [
      'git ls-files --unmerged | cut -c49- | tr "\\n\\t" "  "',
      'git rev-parse --abbrev-ref HEAD; git rev-parse HEAD MERGE_HEAD; cat list.txt',
    ].join('; ')
    const met = await meet([resolver(1, [{ do: 'run', command: look }, ...settle(BOTH), resolved])])
    expect(met.landing.level).toBe('MEDIUM')
    const result = await resolve(met)
    if (result.kind !== 'resolved') throw new Error(JSON.stringify(result))
    const output = scene.read(`logs/rex-001-${met.theirs.task}.log`)
    const { target } = met.landing
    expect(output).toContain('1 list.txt 2 list.txt 3 list.txt')
    expect(output).toContain(target)
    expect(output).toContain(met.theirs.commit)
    for (const mark of ['<<<<<<< HEAD', '||||||| ', `>>>>>>> ${met.theirs.task}`])
      expect(output).toContain(mark)
    const prompt = seen(met.theirs.task, 1)
    for (const words of ['Write two our way', 'Write two their way', 'list.txt says THEIRS']) {
      expect(prompt).toContain(words)
    }
    const { gitDir } = scene.scratch.ground.integration
    expect(sh(gitDir, `git log -1 --format=%P ${result.commit}`)).toBe(`${target} ${met.theirs.commit}`)
    const record = { ...newLanding(met.theirs.commit), resolution: { commit: result.commit, by: 'rex-001' } }
    await scene.commit({ kind: 'update', id: met.entry.task, metadata: landingMetadata(record) })
    const report = await met.hands.land({ entries: await queuedEntries(scene.world) })
    expect(report.landings.get(met.entry.task)?.kind).toBe('landed')
    expect(scene.show('list.txt')).toBe(BOTH)
    expect(sh(gitDir, 'git log -1 --format=%P main')).toBe(target)
    expect(sh(gitDir, `git log -1 --format=%B main`)).toContain(`Source: ${result.commit}`)
  })

  it('is not believed while a marker is left, nothing is committed, or the checks are red', async () => {
    const met = await meet([
      resolver(1, [...settle(`<<<<<<< HEAD\n${BOTH}`), resolved]),
      resolver(2, [...settle('one\nTWO\nthree\n'), resolved]),
      resolver(3, [{ do: 'edit', file: 'list.txt', write: BOTH }, resolved]),
    ])
    const result = await resolve(met)
    expect(result).toMatchObject({ kind: 'failed', iterations: 3, workspace: 'rex-001-merge' })
    expect(seen(met.theirs.task, 2)).toContain('A conflict marker is left at list.txt:1')
    expect(seen(met.theirs.task, 3)).toContain('The checks are red on a fresh checkout')
    expect(result.kind === 'failed' && result.reason).toContain('not committed: list.txt')
  })

  it('is not believed when he left the merge and took one side whole', async () => {
    const met = await meet([
      resolver(1, [{ do: 'run', command: 'git merge --abort' }, ...settle(BOTH), resolved]),
      resolver(2, [
        { do: 'run', command: `git reset -q --hard main && git merge -q -s ours -m x ${'$AXIOM_TASK_ID'}` },
        resolved,
      ]),
      resolver(3, [{ do: 'signal', tag: 'PENDING', payload: 'they exclude each other' }]),
    ])
    const result = await resolve(met)
    expect(result).toMatchObject({ kind: 'pending', workspace: 'rex-001-merge' })
    expect(result.kind === 'pending' && result.signal.payload).toBe('they exclude each other')
    expect(seen(met.theirs.task, 2)).toContain('does not have the work of')
    expect(seen(met.theirs.task, 3)).toContain('nothing of the work of')
  })

  it('has nothing to do where the work merges', async () => {
    const met = await meet([])
    const { task } = await scene.queue('Elsewhere', { other: 'x\n' })
    const entry = (await queuedEntries(scene.world)).find((one) => one.task === task)
    if (!entry) throw new Error('not in the queue')
    expect(await resolve({ ...met, entry })).toMatchObject({ kind: 'resolved', commit: entry.source })
  })
})
