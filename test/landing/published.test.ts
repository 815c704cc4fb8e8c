import { expect, it } from 'vitest'
import { landingMetadata, newLanding } from '../../src/integration/landing-record.ts'
import { openLandedProject } from './project.ts'

const PLAN = [
  { kind: 'create', type: 'operation', content: 'Greet people', as: 'operation' },
  { kind: 'create', type: 'task', content: 'Greet by name', parentId: '$operation' },
] as const
const AT = '2026-01-01T00:00:00.000Z'

it('the status, the queue and the reason of a line tell whether your branch has what landed', async () => {
  using project = await openLandedProject({ 'greet.js': 'one\n' })
  await project.commit(...PLAN)
  const commit = await project.land('task-001', { 'greet.js': 'hello\n' })
  for (const published of [false, true]) {
    const landed = { commit, at: AT, evidence: null, published }
    const metadata = landingMetadata({ ...newLanding(commit), landed })
    await project.commit({ kind: 'update', id: 'task-001', metadata })
    expect(await project.json('status')).toMatchObject({
      summary: { tasks: { unpublished: published ? 0 : 1 } },
    })
    expect(await project.json('queue')).toMatchObject({
      landed: [{ commit, task: 'task-001', published }, {}],
    })
    expect(await project.json('why', 'greet.js:1')).toMatchObject({ landed: { commit, at: AT, published } })
    for (const argv of [['status'], ['queue'], ['why', 'greet.js:1']])
      expect((await project.run(...argv)).stdout.includes('not on your branch yet')).toBe(!published)
  }
})
