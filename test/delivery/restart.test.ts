import { afterEach, describe, expect, it } from 'vitest'
import { type DeliveryStateName, statusOf } from '../../src/delivery/delivery-state.ts'
import { AXIOM } from '../../src/vocabulary/axiom.ts'
import { answerStory, openStory, type Story } from './story.ts'
import { PowerCut } from './theatre.ts'

let story: Story
afterEach(() => story.theatre.close())

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
  it('in any state is followed by one that resumes in it, and the story ends as ever', async () => {
    // The first critic and the first auditor die with their director.
    story = await openStory(AXIOM, { critic: 'critic-002', auditor: 'auditor-002' })
    const { theatre, task } = story
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
})
