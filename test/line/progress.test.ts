import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SpecProgress } from '../../src/canvas/spec-progress.ts'
import type { CaseCommand } from '../../src/cases/command.ts'
import { openSpecDesk } from '../../src/director/chores/spec-desk.ts'
import type { Hands } from '../../src/director/hands.ts'
import { AXIOM } from '../../src/vocabulary/axiom.ts'
import { CRITERION, developed, Line, plan, proven } from './line.ts'

const SPEC = 'Readers see posts. Writers write posts.\n'

function task(content: string): CaseCommand {
  const start = SPEC.indexOf(content)
  return {
    kind: 'create',
    type: 'task',
    content,
    parentId: '$operation',
    metadata: { acceptanceCriteria: [CRITERION] },
    specRef: { specFile: 'specs/dir-001.md', start, end: start + content.length },
  }
}

/** A blog whose spec is covered by two tasks. */
async function blog(): Promise<{ line: Line; hands: Pick<Hands, 'specs'> }> {
  const cases = [...plan(), task('Readers see posts.'), task('Writers write posts.')]
  const line = await Line.open({ cases, slots: 1 })
  mkdirSync(join(line.folder, 'specs'))
  writeFileSync(join(line.folder, 'specs/dir-001.md'), SPEC)
  const root = join(line.folder, '..')
  return { line, hands: { specs: openSpecDesk({ root, vocabulary: AXIOM, store: line.store }) } }
}

function progressOf(line: Line): SpecProgress {
  const text = readFileSync(join(line.folder, 'specs/progress.json'), 'utf8')
  const { specs } = JSON.parse(text) as { specs: Record<string, SpecProgress> }
  const progress = specs['dir-001']
  if (!progress) throw new Error(`nothing of dir-001 in ${text}`)
  return progress
}

const colours = ({ regions }: SpecProgress) =>
  regions.filter(({ text }) => text.trim() !== '').map(({ state, caseId, text }) => [state, caseId, text])

describe('the progress of a spec', () => {
  it('is written as work goes on, and marks the directive when every word of it is done', async () => {
    const { line, hands } = await blog()
    await using _ = line
    const seen: unknown[] = []
    await line.run({
      ...hands,
      async develop({ task: { id } }) {
        if (id === 'task-002') {
          await expect.poll(() => colours(progressOf(line))[0]?.[0], { timeout: 60_000 }).toBe('green')
          seen.push(...colours(progressOf(line)), (await line.get('dir-001')).metadata.satisfied)
        }
        return developed(proven(line.commit()))
      },
    })
    expect(seen).toEqual([
      ['green', 'task-001', 'Readers see posts.'],
      ['blue', 'task-002', 'Writers write posts.'],
      undefined,
    ])
    expect(progressOf(line)).toMatchObject({ satisfied: true, specFile: 'specs/dir-001.md', edited: false })
    expect(progressOf(line).coverage).toMatchObject({ green: 100, blue: 0 })
    expect((await line.get('dir-001')).metadata).toMatchObject({ satisfied: true })
  })

  it('is right again after a director that told nothing of what it did', async () => {
    const { line, hands } = await blog()
    await using _ = line
    await line.run()
    expect(() => progressOf(line)).toThrow()
    await line.run(hands)
    expect(progressOf(line).satisfied).toBe(true)
    rmSync(join(line.folder, 'specs/progress.json'))
    await line.run(hands)
    expect(progressOf(line).satisfied).toBe(true)
  })

  it('takes the mark back when the need grows, and leaves a mark that a person made', async () => {
    const { line, hands } = await blog()
    await using _ = line
    await line.run(hands)
    writeFileSync(join(line.folder, 'specs/dir-001.md'), `${SPEC}Feeds come later.\n`)
    await line.run(hands)
    expect(progressOf(line)).toMatchObject({ satisfied: false })
    expect((await line.get('dir-001')).metadata.satisfied).toBe(false)
    await line.transact({
      kind: 'update',
      id: 'dir-001',
      metadata: { satisfied: true },
      reason: 'enough for me',
    })
    await line.run(hands)
    expect((await line.get('dir-001')).metadata.satisfied).toBe(true)
  })

  it('without a document is that of the cases: all of them have to be done or deferred', async () => {
    await using line = await Line.open({
      cases: [...plan('one'), { kind: 'create', type: 'draft', content: 'an idea', parentId: '$need' }],
    })
    await line.run()
    expect((await line.get('task-001')).status).toBe('done')
    expect((await line.get('dir-001')).metadata.satisfied).toBeUndefined()
    await line.transact({ kind: 'transition', id: 'draft-001', type: 'deferred', reason: 'later' })
    await line.run()
    expect((await line.get('dir-001')).metadata.satisfied).toBe(true)
  })

  it('that cannot be written is told, and holds nothing up', async () => {
    const { line, hands } = await blog()
    await using _ = line
    mkdirSync(join(line.folder, 'specs/progress.json'))
    await line.run(hands)
    expect(line.notices.map(({ code }) => code)).toContain('SPEC_PROGRESS_FAILED')
    expect((await line.get('dir-001')).metadata.satisfied).toBe(true)
  })
})
