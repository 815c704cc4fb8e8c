import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Project } from './axiom.ts'

const QUESTION = ['case', 'create', '--type', 'pending', '--content', 'Which licence?'] as const

describe('The inbox', () => {
  it('is empty at first, and tells so', async () => {
    const project = await Project.make()
    expect(await project.json('inbox')).toEqual([])
    expect(await project.ok('inbox')).toContain('Nothing waits for you')
  })

  it('shows a question until it is answered, and refuses a second answer', async () => {
    const project = await Project.make([...QUESTION])
    writeFileSync(join(project.folder, '.axiom/config.json'), '{}')
    expect(await project.json('inbox')).toMatchObject([
      { id: 'pend-001', kind: 'question', question: 'Which licence?', waiting: [] },
    ])
    expect(await project.ok('inbox')).toContain('axiom answer pend-001')
    expect(await project.json('answer', 'pend-001', 'MIT')).toMatchObject({
      kind: 'answered',
      answer: 'MIT',
      task: null,
    })
    expect(await project.json('inbox')).toEqual([])
    expect(await project.run('answer', 'pend-001', 'GPL', '--json')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('NOTHING_TO_ANSWER'),
    })
  })
})
