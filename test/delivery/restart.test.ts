import { afterEach, describe, expect, it } from 'vitest'
import { DELIVERY_STATES, type DeliveryStateName } from '../../src/delivery/delivery-state.ts'
import { statusOf } from '../../src/delivery/delivery-traits.ts'
import { AXIOM } from '../../src/vocabulary/axiom.ts'
import { answerStory, openStory } from './story.ts'
import { PowerCut, type Theatre } from './theatre.ts'
import { WAITS } from './waits.ts'

let theatre: Theatre
afterEach(() => theatre.close())

/** Every state in which something is done, in the order in which the story comes through them. */
const AT_WORK: readonly DeliveryStateName[] = [
  'specifying',
  'developing',
  'remediating',
  'health-check',
  'repair-landing',
  'consulting',
  'critique',
  'audit',
  'confirming',
  'integrating',
]

describe('a director that dies', () => {
  it('at any work is followed by one that resumes in it, and the story ends as ever', async () => {
    // The first critic and the first auditor die with their director.
    const story = await openStory(AXIOM, { critic: 'critic-002', auditor: 'auditor-002' })
    const { task } = story
    theatre = story.theatre
    const cuts: DeliveryStateName[] = []
    const dies = (state: DeliveryStateName): boolean => !cuts.includes(state) && cuts.push(state) > 0
    for (let lives = 0; lives < 2 * AT_WORK.length; lives++) {
      const ending = await theatre.runMortal(dies)
      if (ending === 'nothing-left') {
        const { state } = await theatre.delivery(task)
        if (state === 'landed') break
        expect(state).toBe('asking')
        await answerStory(story)
        continue
      }
      expect(ending).toBeInstanceOf(PowerCut)
      const { state, resume } = await theatre.delivery(task)
      expect(state).toBe((ending as PowerCut).state)
      expect((await theatre.task(task)).status).toBe(statusOf(state, resume))
    }
    expect(cuts.toSorted()).toEqual(AT_WORK.toSorted())
    expect(await theatre.delivery(task)).toMatchObject({ state: 'landed', rounds: { review: 1, audit: 1 } })
    expect(theatre.show('greeting.txt')).toBe('hello world, by name')
    const moves = await theatre.moves(task)
    // Only the developer's own attempt is lost with its agent; everything else simply goes on.
    expect(moves.filter((move) => move.startsWith('AGENT_LOST'))).toEqual([
      'AGENT_LOST by director: developing → queued',
    ])
    expect((await theatre.task(task)).metadata.execution).toMatchObject({ retryCount: 1 })
  })

  it.each(WAITS)('while a task is $state finds it there, and it comes to its end', async (wait) => {
    theatre = await wait.open()
    await wait.bringThere(theatre)
    const before = await theatre.delivery(wait.task)
    const moves = await theatre.moves(wait.task)
    expect(before.state).toBe(wait.state)
    await theatre.reopen()
    await wait.lookOn(theatre, async () => {
      expect(await theatre.delivery(wait.task)).toEqual(before)
      expect(await theatre.moves(wait.task)).toEqual(moves)
      expect((await theatre.task(wait.task)).status).toBe(statusOf(before.state, before.resume))
    })
    await wait.bringToEnd(theatre)
    for (const task of wait.landing) expect((await theatre.delivery(task)).state, task).toBe('landed')
  })

  it('has a successor in every state of the table', async () => {
    const waiting = WAITS.map(({ state }) => state)
    expect([...AT_WORK, ...waiting].toSorted()).toEqual(DELIVERY_STATES.toSorted())
  })
})
