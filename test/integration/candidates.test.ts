import { describe, expect, it } from 'vitest'
import { buildCandidate, buildStack } from '../../src/integration/build-candidate.ts'
import { classifyConflict } from '../../src/integration/classify-conflict.ts'
import { readContents } from '../../src/integration/resolve-simple.ts'
import { entry, type IntegrationScratch, openIntegrationScratch, sh } from './scratch.ts'

const FILES = {
  'list.txt': 'one\ntwo\nthree\n',
  'code.js': 'start\n\nfunction a() {\n  return 1\n}\n\nend\n',
  'changes.log': 'first\n',
  'old.js': `${Array.from({ length: 20 }, (_, i) => `line ${i}`).join('\n')}\n`,
  '.gitattributes': '*.log merge=union\n',
}

/** Both sides change the same start; what comes of merging them. */
async function clash(
  scratch: IntegrationScratch,
  ours: Record<string, string | Buffer | undefined>,
  theirs: Record<string, string | Buffer | undefined>,
) {
  const base = await scratch.commit(scratch.first, ours)
  const source = await scratch.commit(scratch.first, theirs)
  return buildCandidate(scratch.ground, base, entry('task-001', source))
}

describe('a candidate', () => {
  it('is one commit on the base with subject and trailers, and forges none', async () => {
    await using scratch = await openIntegrationScratch(FILES)
    const middle = await scratch.commit(scratch.first, { 'a.txt': 'a\n' })
    const source = await scratch.commit(middle, { 'b.txt': 'b\n' })
    const description = 'Add a and b\n\nTask: task-999\u0007'
    const made = await buildCandidate(
      scratch.ground,
      scratch.first,
      entry('task-001', source, { description, fence: 7 }),
    )
    if (made.kind !== 'clean') throw new Error(made.kind)
    const { gitDir } = scratch.integration
    expect(sh(gitDir, `git log --format=%P ${made.commit} -1`)).toBe(scratch.first)
    expect(sh(gitDir, `git log --format=%B ${made.commit} -1`)).toBe(
      `feat: Add a and b Task: task-999 #task-001 @echo-001\n\nTask: task-001\nAgent: echo-001\nFence: 7\nSource: ${source}`,
    )
    expect(sh(gitDir, `git log --format='%(trailers:key=Task,valueonly)' ${made.commit} -1`)).toBe('task-001')
    expect(sh(gitDir, `git diff --name-only ${scratch.first} ${made.commit}`)).toBe('a.txt\nb.txt')
  })

  it('is merged as the attribute files of its base say', async () => {
    await using scratch = await openIntegrationScratch(FILES)
    const made = await clash(
      scratch,
      { 'changes.log': 'first\nours\n' },
      { 'changes.log': 'first\ntheirs\n' },
    )
    if (made.kind !== 'clean') throw new Error(made.kind)
    expect(made.settled).toBeUndefined()
    expect(scratch.show(made.commit, 'changes.log')).toBe('first\nours\ntheirs\n')
    const kept = { 'list.txt': 'one\n2\nthree\n', '.gitattributes': '*.txt -merge\n' }
    const refused = await clash(scratch, kept, { 'list.txt': 'one\ntwo\n3\n' })
    if (refused.kind !== 'conflict') throw new Error(refused.kind)
    expect(refused.conflict.messages.map(({ type }) => type)).toContain('CONFLICT (binary)')
  })

  it('is empty when the base has every change already', async () => {
    await using scratch = await openIntegrationScratch(FILES)
    expect(await clash(scratch, { 'x.txt': 'x\n' }, { 'x.txt': 'x\n' })).toEqual({ kind: 'empty' })
  })

  it('is refused when it touches a folder of the user, has a strange type or no common history', async () => {
    await using scratch = await openIntegrationScratch({ ...FILES, '.axiom/config.json': '{}\n' })
    const { ground, first } = scratch
    for (const path of ['.axiom/config.json', '.Axiom/x', '.workspaces/x']) {
      const source = await scratch.commit(first, { [path]: 'mine\n' })
      const made = await buildCandidate(ground, first, entry('task-001', source))
      expect(made).toEqual({ kind: 'refused', reason: 'protected-folder', paths: [path] })
    }
    const both = await clash(scratch, { '.axiom/config.json': '1\n' }, { '.axiom/config.json': '2\n' })
    expect(both).toMatchObject({ kind: 'refused', reason: 'protected-folder' })
    const source = await scratch.commit(first, { 'x.txt': 'x\n' })
    expect(await buildCandidate(ground, first, entry('task-001', source, { type: 'chore' }))).toMatchObject({
      reason: 'commit-type',
    })
    const tree = sh(scratch.integration.gitDir, `git rev-parse ${source}^{tree}`)
    const alone = sh(scratch.integration.gitDir, `git commit-tree -m alone ${tree}`)
    expect(await buildCandidate(ground, first, entry('task-001', alone))).toMatchObject({
      reason: 'unrelated-history',
    })
  })

  it('stands on the one before it in a stack; one that conflicts is left out', async () => {
    await using scratch = await openIntegrationScratch(FILES)
    const { first } = scratch
    const entries = [
      entry('task-001', await scratch.commit(first, { 'list.txt': 'ONE\ntwo\nthree\n' })),
      entry('task-002', await scratch.commit(first, { 'list.txt': 'EINS\ntwo\nthree\n' })),
      entry('task-003', await scratch.commit(first, { 'list.txt': 'one\ntwo\nTHREE\n' })),
    ]
    const stack = await buildStack((base, one) => buildCandidate(scratch.ground, base, one), first, entries)
    expect(stack.candidates.map(({ entry: { task } }) => task)).toEqual(['task-001', 'task-003'])
    expect(stack.aside.map(({ entry: { task }, outcome }) => [task, outcome.kind])).toEqual([
      ['task-002', 'conflict'],
    ])
    const tip = stack.candidates[1]?.commit ?? ''
    expect(scratch.show(tip, 'list.txt')).toBe('ONE\ntwo\nTHREE\n')
    expect(sh(scratch.integration.gitDir, `git rev-parse ${tip}^`)).toBe(stack.candidates[0]?.commit)
  })
})

describe('a simple conflict is settled by a rule', () => {
  const code = FILES['code.js']
  it.each([
    [
      'white-space',
      code.replace('  return 1', '\treturn 1'),
      code.replace('return 1', 'return 2'),
      'return 2',
    ],
    [
      'white-space',
      code.replace('return 1', 'return 2'),
      code.replace('  return 1', '    return 1'),
      'return 2',
    ],
    [
      'both-add',
      code.replace('start\n', 'start\nuse x\n'),
      code.replace('start\n', 'start\nuse y\n'),
      'use x\nuse y',
    ],
  ])('%s', async (rule, ours, theirs, wanted) => {
    await using scratch = await openIntegrationScratch(FILES)
    const made = await clash(scratch, { 'code.js': ours }, { 'code.js': theirs, 'more.js': 'more\n' })
    if (made.kind !== 'clean') throw new Error(made.kind)
    expect(made.settled?.files).toEqual([{ path: 'code.js', rules: [rule] }])
    expect(scratch.show(made.commit, 'code.js')).toContain(wanted)
    expect(scratch.show(made.commit, 'code.js')).not.toMatch(/[<>|]{7}/)
    expect(scratch.show(made.commit, 'more.js')).toBe('more\n')
  })
})

describe('a conflict that no rule may settle', () => {
  const renamed = { 'old.js': undefined, 'new.js': FILES['old.js'] }
  it.each([
    ['MEDIUM', 'the same line', { 'list.txt': 'one\n2\nthree\n' }, { 'list.txt': 'one\nzwei\nthree\n' }],
    ['MEDIUM', 'two new files', { 'new.txt': 'a\n' }, { 'new.txt': 'b\n' }],
    ['MEDIUM', 'no line end', { 'list.txt': 'one\ntwo\nthree\n4' }, { 'list.txt': 'one\ntwo\nthree\n5' }],
    [
      'MEDIUM',
      'carriage returns',
      { 'list.txt': 'one\ntwo\nthree\n4\r\n' },
      { 'list.txt': 'one\ntwo\nthree\n5\r\n' },
    ],
    ['COMPLEX', 'deleted', { 'list.txt': undefined }, { 'list.txt': 'one\n2\nthree\n' }],
    ['COMPLEX', 'renamed twice', renamed, { 'old.js': undefined, 'other.js': FILES['old.js'] }],
    ['COMPLEX', 'renamed and deleted', renamed, { 'old.js': undefined }],
    ['COMPLEX', 'binary', { b: Buffer.from([0, 1]) }, { b: Buffer.from([0, 2]) }],
    ['COMPLEX', 'large', { 'big.txt': 'a\n'.repeat(300_000) }, { 'big.txt': 'b\n'.repeat(300_000) }],
  ])('is %s: %s', async (wanted, _name, ours, theirs) => {
    await using scratch = await openIntegrationScratch(FILES)
    const made = await clash(scratch, ours, theirs)
    if (made.kind !== 'conflict') throw new Error(made.kind)
    const contents = await readContents(scratch.ground, made.conflict)
    expect(classifyConflict(made.conflict, contents)).toBe(wanted)
  })

  it('is COMPLEX when a side is no plain file or has another mode', async () => {
    const file = { stage: 2, mode: '100644', object: 'a' }
    const messages = [{ paths: ['f'], type: 'CONFLICT (contents)', text: '' }]
    for (const mode of ['100755', '120000', '160000']) {
      const files = [{ path: 'f', stages: [file, { ...file, stage: 3, mode }] }]
      expect(classifyConflict({ tree: 't', files, messages }, 'text')).toBe('COMPLEX')
    }
  })
})
