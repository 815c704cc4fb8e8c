import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectGolden } from '../golden.ts'
import { type CaseJson, Project, run } from './axiom.ts'

const SPEC = `# Blog

Readers see posts. Writers write posts.

- Comments are moderated.
- Feeds come later.
`
const task = (key: string, covers: string[]) => ({
  key,
  content: `Make ${key}`,
  acceptanceCriteria: [`${key} returns 1`],
  covers,
})
const PLAN = {
  need: 'When I read, I want a blog, so that I learn',
  spec: SPEC,
  operations: [
    { key: 'a', content: 'Read', tasks: [task('t1', ['Readers see posts.'])] },
    { key: 'b', content: 'Write', tasks: [task('t2', ['Writers write posts.', 'Comments are moderated.'])] },
    { key: 'c', content: 'Feed', covers: ['Feeds come later.'], tasks: [task('t3', [])] },
  ],
}

interface SpecJson {
  readonly edited: boolean
  readonly satisfied: boolean
  readonly coverage: Record<string, number>
  readonly regions: readonly {
    state: string
    caseId: string | null
    text: string
    start: number
    end: number
  }[]
  readonly orphanCases: readonly string[]
  readonly dropped: readonly string[]
}

async function planned(): Promise<Project> {
  const project = await Project.make()
  await project.ok('plan', '--from', project.file('plan.json', PLAN), '--yes')
  return project
}

const pathOf = (project: Project) => join(project.folder, '.axiom/specs/dir-001.md')
const coloured = ({ regions }: SpecJson) =>
  regions.flatMap(({ state, text }) => (state === 'black' ? [] : [[state, text]]))

describe('axiom spec', () => {
  it('shows the document by the state of its cases, to people and to programs', async () => {
    const project = await planned()
    await project.ok('case', 'complete', 'task-001')
    await project.ok('case', 'defer', 'op-003', '--reason', 'later')
    const before = await project.json<SpecJson>('spec')
    expect(coloured(before)).toEqual([
      ['green', 'Readers see posts.'],
      ['blue', 'Writers write posts.'],
      ['blue', 'Comments are moderated.'],
      ['red', 'Feeds come later.'],
    ])
    for (const { start, end, text } of before.regions) expect(SPEC.slice(start, end)).toBe(text)
    expectGolden('cli/spec.txt', await project.ok('spec', 'task-002'))
    const { stdout } = await run(project.folder, ['spec', 'dir-001'], { FORCE_COLOR: '1' })
    expectGolden('cli/spec-in-colour.txt', stdout.replaceAll('\u001b', '␛'))
  })

  it('names the first cases where many stand on the same words', async () => {
    const project = await Project.make()
    const tasks = Array.from({ length: 10 }, (_, at) => task(`t${at}`, []))
    const plan = { need: 'A blog', operations: [{ key: 'a', content: 'All', tasks }] }
    await project.ok('plan', '--from', project.file('plan.json', plan), '--yes')
    expect(await project.ok('spec')).toContain('task-007 and 3 more]')
  })

  it('is satisfied when everything is done, and not before', async () => {
    const project = await planned()
    for (const id of ['task-001', 'task-002']) await project.ok('case', 'complete', id)
    expect(await project.json<SpecJson>('spec')).toMatchObject({ satisfied: false })
    await project.ok('case', 'complete', 'task-003')
    expect(await project.json<SpecJson>('spec')).toMatchObject({
      satisfied: true,
      coverage: { green: 100, black: 0 },
    })
  })

  it('follows an edit from outside, and says whose words are gone', async () => {
    const project = await planned()
    writeFileSync(pathOf(project), `Something new.\n\n${SPEC.replace('Readers see posts. ', '')}`)
    const spec = await project.json<SpecJson>('spec')
    expect(spec).toMatchObject({ edited: true, dropped: ['op-001', 'task-001'], satisfied: false })
    expect(spec.orphanCases).toEqual(['op-001', 'task-001'])
    expect(coloured(spec).map(([, text]) => text)).toEqual([
      'Writers write posts.',
      'Comments are moderated.',
      'Feeds come later.',
    ])
  })

  it('gives an agent the words of its case as they stand after an edit, never others', async () => {
    const project = await planned()
    writeFileSync(pathOf(project), `Something new.\n\n${SPEC.replace('Readers see posts. ', '')}`)
    const prompt = async (id: string) => (await project.run('prompt', 'echo', id, '--raw')).stdout
    expect(await prompt('task-002')).toContain('Writers write posts.\n\nComments are moderated.')
    const orphan = await prompt('task-001')
    expect(orphan).toContain('Make t1')
    expect(orphan).not.toContain('specs/dir-001.md')
  })

  it('writes the document of a plan that was stopped between its cases and its file', async () => {
    const project = await planned()
    rmSync(join(project.folder, '.axiom/specs'), { recursive: true })
    expect(await project.json<SpecJson>('spec')).toMatchObject({ edited: false, orphanCases: [] })
    expect(readFileSync(pathOf(project), 'utf8')).toBe(SPEC)
  })

  it('trusts no offset where the text that they belong to is unknown', async () => {
    const project = await planned()
    rmSync(join(project.folder, '.axiom/blobs'), { recursive: true })
    expect(coloured(await project.json<SpecJson>('spec'))).toHaveLength(4)
    writeFileSync(pathOf(project), `New. ${SPEC}`)
    expect(coloured(await project.json<SpecJson>('spec'))).toEqual([])
  })

  it('asks which one is meant, and says when there is none', async () => {
    const project = await Project.make()
    expect(await project.run('spec')).toMatchObject({ code: 1, stderr: expect.stringContaining('NotFound') })
    await project.ok('case', 'create', '--type', 'directive', '--content', 'One')
    expect(await project.run('spec')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('SPEC_NOT_FOUND'),
    })
    mkdirSync(join(project.folder, '.axiom/specs'))
    writeFileSync(pathOf(project), 'By hand.')
    expect(await project.json<SpecJson>('spec')).toMatchObject({ coverage: { black: 100 } })
    await project.json<CaseJson>('case', 'create', '--type', 'directive', '--content', 'Two')
    expect(await project.run('spec')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('dir-001, dir-002'),
    })
  })
})
