import { describe, expect, it } from 'vitest'
import { isPublished } from '../../src/events/task-standing.ts'
import type { Publication } from '../../src/integration/publish-target.ts'
import { ManualClock } from '../runs/manual-clock.ts'
import { Line, plan } from './line.ts'

const REFUSED: Publication = {
  kind: 'refused',
  workTree: '/w',
  files: ['a.txt'],
  said: 'a.txt would be overwritten',
  command: 'git merge',
}
const SAME: Publication = { kind: 'same', commit: 'f'.repeat(40) }
const MINUTE_MS = 60_000

async function published(line: Line, ...ids: string[]): Promise<(boolean | null)[]> {
  return Promise.all(ids.map(async (id) => isPublished(await line.get(id))))
}

describe('what has landed', () => {
  it.each<[Publication, boolean]>([
    [{ kind: 'published', from: 'a', to: 'b', workTree: '/w' }, true],
    [SAME, true],
    [{ kind: 'ahead', user: 'a', record: 'b' }, true],
    [{ kind: 'diverged', user: 'a', record: 'b' }, false],
    [{ kind: 'missing', command: 'git fetch' }, false],
    [REFUSED, false],
  ])('is marked as being on the branch of the user when it is there: %o', async (publication, isThere) => {
    await using line = await Line.open({ cases: plan('one', 'two') })
    await line.run({ publish: async () => publication })
    expect(await published(line, 'task-001', 'task-002')).toEqual([isThere, isThere])
    expect((await line.get('task-001')).status).toBe('done')
  })

  it('is marked by the next director when the last one died before it could', async () => {
    await using line = await Line.open({ cases: plan('one') })
    await line.run({ publish: async () => REFUSED })
    expect(await published(line, 'task-001')).toEqual([false])
    await line.run()
    expect(await published(line, 'task-001')).toEqual([true])
  })

  it('while the branch is being moved is left for the next time', async () => {
    await using line = await Line.open({ cases: plan('one', 'two'), slots: 1 })
    let times = 0
    await line.run({
      async publish() {
        if (times === 0 && !(await published(line, 'task-001')).includes(false)) return SAME
        times += 1
        if (times > 1) return REFUSED
        await expect.poll(() => published(line, 'task-002'), { timeout: 60_000 }).toEqual([false])
        return SAME
      },
    })
    expect(await published(line, 'task-001', 'task-002')).toEqual([true, false])
  })

  it('is tried again while the director works; what stands in the way is told once', async () => {
    const clock = new ManualClock(Date.parse('2026-01-01T00:00:00.000Z'))
    await using line = await Line.open({ cases: plan('one'), clock })
    let tries = 0
    const director = line.director(
      {
        publish: async () => {
          tries += 1
          return tries > 5 ? SAME : REFUSED
        },
      },
      true,
    )
    const ended = director.run()
    await expect
      .poll(
        async () => {
          await clock.advance(MINUTE_MS, 10_000)
          return (await published(line, 'task-001'))[0]
        },
        { timeout: 60_000 },
      )
      .toBe(true)
    director.leave('now')
    await ended
    expect(line.notices.filter(({ code }) => code === 'PUBLISH_REFUSED')).toHaveLength(1)
  })
})
