import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { readDelivery } from '../../src/delivery/delivery-state.ts'
import { carryOutAskPerson } from '../../src/director/land/conflict/ask-person.ts'
import { tellLanding } from '../../src/director/land/land.ts'
import { makeMeans } from '../../src/director/open/make-means.ts'
import { openHands } from '../../src/director/open/open-hands.ts'
import type { Rules } from '../../src/director/snapshot.ts'
import { lastLanding } from '../../src/integration/landing-record.ts'
import { applyEvent } from '../../src/project/delivery/apply-event.ts'
import { directorEvent, personEvent } from '../../src/project/delivery/make-event.ts'
import { ManualClock } from '../runs/manual-clock.ts'
import { queuedEntries } from './queue.ts'
import { type LandingScene, openLandingScene, sh } from './scene.ts'

const HOUR_MS = 3_600_000

let scene: LandingScene
afterEach(() => scene.close())

/** One side removed what the other changed: nothing for a resolver. */
async function meet(action: Rules['escalation']['action']) {
  const clock = new ManualClock(Date.now())
  scene = await openLandingScene({ clock, verification: ['test ! -e broken'] })
  const hands = await openHands(scene.world, {
    holder: 'dex-001',
    userEnvironment: {},
    environment: {},
    isWalled: true,
  })
  const means = makeMeans(scene.world, hands, () => undefined)
  const rules = { escalation: { minutes: 60, action } } as Rules
  const base = await scene.target()
  await scene.queue('Remove it', { 'src/add.js': undefined }, { base })
  await hands.land({ entries: await queuedEntries(scene.world) })
  const { task } = await scene.queue('Change it', { 'src/add.js': 'changed\n' }, { base })
  const entry = (await queuedEntries(scene.world)).find((one) => one.task === task)
  if (!entry) throw new Error('not in the queue')
  const landing = (await hands.land({ entries: [entry] })).landings.get(task)
  if (landing?.kind !== 'conflict') throw new Error(`${landing?.kind}`)
  expect(landing.level).toBe('COMPLEX')
  await tellLanding(means, entry, landing)
  const refer = () => carryOutAskPerson(means, rules, { kind: 'ask-person', task, entry })
  await refer()
  return { clock, hands, means, task, refer }
}

const stateOf = async (id: string) => {
  const read = readDelivery(await scene.task(id))
  return read.kind === 'read' ? read.delivery.state : read.reason
}
const question = async (task: string) =>
  (await scene.store.query({ type: 'pending' })).findLast(({ metadata }) => metadata.waitingTask === task)
const answer = (means: Parameters<typeof carryOutAskPerson>[0], task: string, text: string, id: string) =>
  applyEvent(means.store, means.words, {
    about: task,
    occurrence: personEvent(task, 'ANSWERED', { id, by: 'user', text }),
  })

describe('a conflict that is for a person', () => {
  it('is put into the inbox with a workspace in the middle of the merge, and lands as he settled it', async () => {
    const { means, hands, task, refer } = await meet('defer')
    expect(await stateOf(task)).toBe('asking')
    const asked = await question(task)
    expect(asked?.metadata).toMatchObject({ fallback: 'defer', options: [{ label: 'resolved' }, {}, {}, {}] })
    const workspace = lastLanding(await scene.task(task))?.conflict?.workspace ?? ''
    expect(asked?.metadata.context).toContain(workspace)
    const path = join(scene.scratch.ground.workspacesDir, workspace)
    expect(sh(path, 'GIT_DIR=$PWD/.git git ls-files --unmerged').split('\n')).toHaveLength(2)
    // He says that it is settled before it is: the question comes again, with what is missing.
    await answer(means, task, 'resolved', 'first')
    expect(await stateOf(task)).toBe('integrating')
    await refer()
    expect(await stateOf(task)).toBe('asking')
    expect((await question(task))?.metadata.context).toContain('There is no commit since the work began')
    sh(path, `export GIT_DIR=$PWD/.git; echo settled > src/add.js; git add -A; git commit -qm settled`)
    await answer(means, task, 'resolved', 'second')
    await refer()
    expect(lastLanding(await scene.task(task))).toMatchObject({ conflict: null, resolution: { by: 'user' } })
    const report = await hands.land({ entries: await queuedEntries(scene.world) })
    expect(report.landings.get(task)?.kind).toBe('landed')
    expect(scene.show('src/add.js')).toBe('settled\n')
  })

  it('is put off when nobody answered in time, and its work stays', async () => {
    const { clock, means, task, refer } = await meet('defer')
    const end = (id: string) =>
      applyEvent(means.store, means.words, { about: task, occurrence: directorEvent(task, 'WAIT_ENDED', id) })
    expect(await end('early')).toMatchObject({ kind: 'refused', reason: 'not-yet' })
    await clock.advance(HOUR_MS + 1, HOUR_MS)
    expect(await end('late')).toMatchObject({ kind: 'moved' })
    await refer()
    expect((await scene.task(task)).type).toBe('deferred')
  })

  it('goes back to its developer, or to the resolver, as he says', async () => {
    const { means, task, refer } = await meet('notify')
    expect((await question(task))?.metadata).not.toHaveProperty('fallback')
    await answer(means, task, 'keep the change, drop the removal', 'guide')
    await refer()
    expect(lastLanding(await scene.task(task))?.conflict).toMatchObject({
      level: 'MEDIUM',
      tries: 0,
      asked: false,
    })
    const record = lastLanding(await scene.task(task))
    await scene.commit({
      kind: 'update',
      id: task,
      metadata: { landing: { ...record, conflict: { ...record?.conflict, level: 'COMPLEX' } } },
    })
    await refer()
    await answer(means, task, 'skip', 'skip')
    await refer()
    expect(await stateOf(task)).toBe('developing')
  })
})
