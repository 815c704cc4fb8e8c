import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planScaffold } from '../../src/personas/scaffold.ts'
import { openStore } from '../../src/store/open-store.ts'
import { AXIOM } from '../../src/vocabulary/axiom.ts'
import { runAxiom } from '../cli/run-axiom.ts'
import { expectGolden } from '../golden.ts'

/** A project whose folder is set up and whose store holds one task with all that a prompt can show. */
async function makeProject(root: string): Promise<void> {
  const { folders, write } = planScaffold(AXIOM, new Map())
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true })
  for (const { path, text } of write) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  mkdirSync(join(root, '.axiom/specs'))
  writeFileSync(join(root, '.axiom/config.json'), '{"version":1,"verification":["npm test"]}\n')
  writeFileSync(join(root, '.axiom/specs/dir-001.md'), '# Invitations\nAn invitation ends after a week.\n')
  const store = await openStore({ folder: join(root, '.axiom'), purpose: 'a test' })
  const outcome = await store.transact({
    by: 'axel-002',
    commands: [
      {
        kind: 'create',
        type: 'directive',
        as: 'need',
        content: 'When I invite, I want it to end, so that I am safe',
      },
      { kind: 'create', type: 'operation', as: 'operation', parentId: '$need', content: 'Invitations end' },
      { kind: 'create', type: 'task', as: 'first', parentId: '$operation', content: 'Store the day it ends' },
      {
        kind: 'create',
        type: 'task',
        as: 'task',
        parentId: '$operation',
        dependsOn: ['$first'],
        content: 'Refuse an invitation that has ended',
        metadata: {
          acceptanceCriteria: ['An invitation of eight days ago is answered 410'],
          fileHints: ['src/invitations.ts'],
          verify: ['npm run e2e'],
        },
        specRef: { specFile: 'specs/dir-001.md', start: 14, end: 46 },
      },
      {
        kind: 'create',
        type: 'discovery',
        parentId: '$first',
        content: 'Days are stored in UTC',
        metadata: { scope: 'global', sourceAgentId: 'echo-001', impact: 'high', validated: true },
      },
      {
        kind: 'create',
        type: 'discovery',
        parentId: '$first',
        content: 'Only for resolvers',
        metadata: { scope: 'local', sourceAgentId: 'rex-001', impact: 'high' },
      },
    ],
  })
  expect(outcome.kind).toBe('committed')
  await store.close()
}

describe('axiom prompt', () => {
  let root = ''
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'axiom-prompt-'))
    await makeProject(root)
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it('shows the prompt part by part with its tokens', async () => {
    const { exitCode, stdout, stderr } = await runAxiom(root, ['prompt', 'echo', 'task-002'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toMatch(/^━━ shared rules · ≈ [\d,]+ tokens\n/)
    expectGolden('prompts/command-tail.txt', stdout.slice(stdout.indexOf('━━ assignment')))
  })

  it('gives the same as data, counted exactly on request', async () => {
    const { exitCode, stdout } = await runAxiom(root, ['prompt', 'critic', 'task-002', '--json', '--exact'])
    expect(exitCode).toBe(0)
    const prompt = JSON.parse(stdout)
    expect(prompt).toMatchObject({
      case: 'task-002',
      role: 'critic',
      counted: 'cl100k_base',
      problems: [],
      leftOut: [],
    })
    expect(prompt.parts.map(({ name }: { name: string }) => name)).toEqual([
      'shared rules',
      'persona rules',
      'persona prompt',
      'skills',
      'assignment',
      'discoveries',
      'iteration',
    ])
    expect(prompt.tokens).toBe(
      prompt.parts.reduce((sum: number, { tokens }: { tokens: number }) => sum + tokens, 0),
    )
    expect(prompt.text).toBe(`${prompt.system}\n\n${prompt.message}\n`)
  })

  it('reports a missing persona file and an oversized skill, and goes on', async () => {
    rmSync(join(root, '.axiom/agents/rex/prompt.md'))
    writeFileSync(
      join(root, '.axiom/agents/rex/skills/too-big.md'),
      `# Big\n\n## When to Use\n- Always\n\n## Examples\n${'word '.repeat(2_500)}\n`,
    )
    const { exitCode, stdout, stderr } = await runAxiom(root, ['prompt', 'rex', 'task-002', '--raw'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('# Resolver Rex - System Prompt')
    expect(stdout).toContain('Only for resolvers')
    expect(stderr).toContain('PROMPT_FILE_MISSING: .axiom/agents/rex/prompt.md is missing')
    expect(stderr).toMatch(
      /PROMPT_SKILL_FORM: The skill \.axiom\/agents\/rex\/skills\/too-big\.md is used, but it has 25\d\d tokens/,
    )
  })

  it('says who can be asked, and which cases there are', async () => {
    const nobody = await runAxiom(root, ['prompt', 'bob', 'task-002', '--json'])
    expect(nobody.exitCode).toBe(2)
    expect(JSON.parse(nobody.stderr).error).toMatchObject({
      code: 'USAGE_PERSONA',
      hint: expect.stringContaining('echo'),
    })
    const nothing = await runAxiom(root, ['prompt', 'echo', 'task-999'])
    expect(nothing).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('NotFound') })
  })
})
