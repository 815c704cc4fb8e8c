import assert from 'node:assert'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatId } from '../src/cases/ids.ts'
import { assemblePrompt } from '../src/personas/assemble-prompt.ts'
import { assignmentOf, iterationOf } from '../src/personas/case-prompt.ts'
import { readPersonaFolder } from '../src/personas/persona-folder.ts'
import { ROLES } from '../src/personas/roles.ts'
import { planScaffold, type ScaffoldPlan, scaffoldPaths } from '../src/personas/scaffold.ts'
import { spokenName } from '../src/signals/signal-names.ts'
import { SignalParser } from '../src/signals/signal-parser.ts'
import { openStore } from '../src/store/open-store.ts'
import { VOCABULARIES } from '../src/vocabulary/find-vocabulary.ts'
import type { Vocabulary } from '../src/vocabulary/vocabulary.ts'
import { TOOLSHED } from './toolshed.ts'

/**
 * One story, told in every vocabulary: what a user of AXIOM does from the first minute on. Nothing here may ask
 * which vocabulary it is in.
 */
describe.each(Object.values(VOCABULARIES))('the story in $name', (vocabulary) => {
  let root = ''
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'axiom-story-'))
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  const echo = vocabulary.personas.echo
  const promptPath = `${vocabulary.folder}/agents/${echo.id}/prompt.md`
  let work = ''
  const agent = formatId(echo.id, 47)

  it('begins with a folder that holds the team', () => {
    const plan = planScaffold(vocabulary, readAll(root, vocabulary))
    expect(plan.write.every(({ reason }) => reason === 'new')).toBe(true)
    carryOut(root, plan)
    expect(readFileSync(join(root, promptPath), 'utf8')).toContain(
      `You are ${echo.name}, the ${echo.title.toLowerCase()}`,
    )
    expect(planScaffold(vocabulary, readAll(root, vocabulary)).write).toEqual([])
  })

  it('goes on with a person who edits a prompt and starts again: the edit stands', () => {
    writeFileSync(join(root, promptPath), '# My own words\nYou write very short functions.\n')
    const plan = planScaffold(vocabulary, readAll(root, vocabulary))
    carryOut(root, plan)
    expect(plan.keep.map(({ path }) => path)).toEqual([promptPath])
    expect(readFileSync(join(root, promptPath), 'utf8')).toContain('very short functions')
  })

  it('turns a need into cases that are there again after a restart', async () => {
    const folder = join(root, vocabulary.folder)
    const store = await openStore({ folder, purpose: 'the story' })
    const outcome = await store.transact({
      by: formatId(vocabulary.personas.axel.id, 2),
      commands: [
        { kind: 'create', type: 'directive', as: 'need', content: 'When I reserve, I want it to be true.' },
        { kind: 'create', type: 'operation', as: 'operation', parentId: '$need', content: 'Reserve a tool' },
        {
          kind: 'create',
          type: 'task',
          as: 'work',
          parentId: '$operation',
          content: 'Refuse a reservation that overlaps another one.',
          metadata: { acceptanceCriteria: ['409 on overlap'] },
        },
      ],
    })
    await store.close()
    assert(outcome.kind === 'committed')
    work = outcome.names.work ?? ''
    const again = await openStore({ folder, purpose: 'the story' })
    expect((await again.query({ ready: true })).map(({ id }) => id)).toEqual([work])
    await again.close()
  })

  it('gives the agent a prompt in the words of its team, with the person’s edit in it', async () => {
    const files = await readPersonaFolder(root, vocabulary, 'developer')
    const store = await openStore({ folder: join(root, vocabulary.folder), purpose: 'the story' })
    const [[subject], ancestors] = await Promise.all([
      store.query({ ids: [work] }),
      Promise.all([store.query({ type: 'operation' }), store.query({ type: 'directive' })]),
    ])
    await store.close()
    assert(subject)
    const { text, problems } = assemblePrompt({
      vocabulary,
      role: 'developer',
      agent,
      files,
      assignment: assignmentOf(subject, { ancestors: ancestors.flat(), dependencies: [], checks: [] }),
      discoveries: [],
      iteration: iterationOf(subject, []),
    })
    expect(problems).toEqual([])
    expect(text).toContain('very short functions')
    expect(text).toContain(`# Assignment ${work}`)
    expect(text).toContain('C1. 409 on overlap')
    expect(text).toContain('When I reserve, I want it to be true.')
    expect(text).toContain(`#${vocabulary.cases.task.prefix}-`)
    for (const other of Object.values(VOCABULARIES).filter((candidate) => candidate !== vocabulary)) {
      expect(text).not.toContain(`<${other.signals.tag}>`)
      expect(text).not.toContain(`${other.folder}/`)
    }
  })

  it('hears what the agent says in its own words as the same signals', () => {
    const { tag } = vocabulary.signals
    const say = (name: 'DISCOVERY_GLOBAL' | 'PENDING' | 'COMPLETE', payload = '') =>
      `<${tag}>${spokenName(vocabulary.signals, name)}${payload}</${tag}>`
    const speech = (last: string) =>
      `I looked at it.\n${say('DISCOVERY_GLOBAL', ':days are strings')}\n\n${last}\n`
    expect(heard(vocabulary, speech(say('COMPLETE')))).toEqual([
      'DISCOVERY_GLOBAL:days are strings',
      'COMPLETE',
    ])
    expect(heard(vocabulary, speech(say('PENDING', ':days or hours?')))).toEqual([
      'DISCOVERY_GLOBAL:days are strings',
      'PENDING:days or hours?',
    ])
  })

  it('hears nothing when an agent repeats its whole prompt, in any role', async () => {
    for (const role of ROLES) {
      const files = await readPersonaFolder(root, vocabulary, role)
      const { text } = assemblePrompt({ ...TOOLSHED[role], vocabulary, role, files })
      expect(heard(vocabulary, text), role).toEqual([])
    }
  })
})

function readAll(root: string, vocabulary: Vocabulary): Map<string, string> {
  const read = (path: string) => {
    try {
      return [[path, readFileSync(join(root, path), 'utf8')] as const]
    } catch {
      return []
    }
  }
  return new Map(scaffoldPaths(vocabulary).flatMap(read))
}

function carryOut(root: string, plan: ScaffoldPlan): void {
  for (const folder of plan.folders) mkdirSync(join(root, folder), { recursive: true })
  for (const { path, text } of plan.write) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

function heard(vocabulary: Vocabulary, speech: string): string[] {
  const parser = new SignalParser({ names: vocabulary.signals })
  const findings = [...parser.feed(speech), ...parser.end()]
  return findings.map((finding) => {
    if (finding.kind === 'problem') return `problem: ${finding.code} ${finding.raw}`
    return `${finding.name}${finding.payload === null ? '' : `:${finding.payload}`}`
  })
}
