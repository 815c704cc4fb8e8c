import { afterEach, describe, expect, it } from 'vitest'
import { configSchema } from '../../src/config/schema.ts'
import { applyEvent } from '../../src/project/delivery/apply-event.ts'
import { personEventContext } from '../../src/project/delivery/event-context.ts'
import { agentEvent } from '../../src/project/delivery/make-event.ts'
import type { Signal } from '../../src/signals/finding.ts'
import { AXIOM } from '../../src/vocabulary/axiom.ts'
import { SWARM } from '../../src/vocabulary/swarm.ts'
import { sh } from '../git/scratch.ts'
import { expectGolden } from '../golden.ts'
import { answerStory, openStory, type Story } from './story.ts'

let story: Story
afterEach(() => story.theatre.close())

describe('the whole line', () => {
  it.each([
    ['axiom', AXIOM],
    ['swarm', SWARM],
  ] as const)('ends on the target, told in %s', async (name, vocabulary) => {
    story = await openStory(vocabulary, { critic: 'critic-001', auditor: 'auditor-001' })
    const { theatre, task } = story
    expect(await theatre.run()).toBe('nothing-left')
    expect((await theatre.delivery(task)).state).toBe('asking')
    await answerStory(story)
    expect(await theatre.run()).toBe('nothing-left')
    expectGolden(`delivery/story-${name}.txt`, `${(await theatre.moves(task)).join('\n')}\n`)
    expect(await theatre.task(task)).toMatchObject({ status: 'done' })
    expect(await theatre.delivery(task)).toMatchObject({
      state: 'landed',
      rounds: { review: 1, audit: 1 },
      hadStop: true,
    })
    const told = theatre.developersPrompts(task)
    expect(told.get(1)).toContain('greeting.txt contains "hello"')
    expect(told.get(3)).toContain('Take the simpler of the two')
    expect(told.get(4)).toContain('by name')
    expect(told.get(5)).toContain('greeting.txt:1: too short')
    expect(told.get(6)).toContain('greeting.txt:1: too short')
    expect(told.get(6)).toContain('it is not shown by any test')
    // Published to the user's own branch: the repair first, then the work, one commit each.
    expect(theatre.show('greeting.txt')).toBe('hello world, by name')
    expect(theatre.show('state.txt')).toBe('ready')
    expect(sh(theatre.root, 'git log --format=%s main').split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^feat: Add a greeting #${task} @`)),
      expect.stringMatching(/^fix: repair what "Add a greeting" met /),
      'first',
    ])
    await nothingSaidAgainCounts(story)
  })
})

/** Every word of the story once more, as an agent that came back late would say it. */
async function nothingSaidAgainCounts({ theatre, task }: Story): Promise<void> {
  const store = await theatre.store()
  const world = personEventContext(theatre.root, configSchema.parse({}))
  const before = await theatre.task(task)
  const words = before.metadata.words as Record<string, { digest: string; commit: string | null }>
  expect(Object.keys(words)).toEqual(expect.arrayContaining(['critic', 'auditor', 'remediator', 'expert']))
  for (const [sender, { digest, commit }] of Object.entries(words)) {
    const said = JSON.parse(Buffer.from((await store.getBlob(digest)) ?? []).toString()) as Signal
    for (const fence of [1, before.fence ?? 0, (before.fence ?? 0) + 1]) {
      const occurrence = agentEvent(sender as 'critic', 'late-001', said, `late/${sender}/${fence}`, {
        fence,
        commit,
      })
      const answer = await applyEvent(store, world, { about: task, occurrence })
      expect(answer.kind, `${sender} under ${fence}`).not.toBe('moved')
    }
  }
  expect(await theatre.task(task)).toEqual(before)
}
