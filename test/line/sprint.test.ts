import { expect, it } from 'vitest'
import { developed, Line, plan, proven } from './line.ts'

it('a sprint of two landings begins no third task, also while a landing is being told', async () => {
  await using line = await Line.open({ cases: plan('one', 'two', 'three', 'four'), slots: 1 })
  await line.change((project) => ({
    ...project,
    sprint: {
      goal: { kind: 'count', landings: 2 },
      tags: [],
      startedAt: new Date(0).toISOString(),
      landed: 0,
    },
  }))
  const begun: string[] = []
  await line.run({
    async develop({ task }) {
      begun.push(task.id)
      return developed(proven(line.commit()))
    },
  })
  expect(begun).toEqual(['task-001', 'task-002'])
})
