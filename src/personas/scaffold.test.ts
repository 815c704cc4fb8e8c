import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { AXIOM } from '../vocabulary/axiom.ts'
import { VOCABULARIES } from '../vocabulary/find-vocabulary.ts'
import { manifestPath, parseManifest, planScaffold, type ScaffoldPlan, scaffoldPaths } from './scaffold.ts'

const PROMPT = '.axiom/agents/echo/prompt.md'
const SKILL = '.axiom/agents/echo/skills/tdd.md'

/** The folder as it stands once a plan has been carried out. */
function carryOut(plan: ScaffoldPlan, before: ReadonlyMap<string, string> = new Map()): Map<string, string> {
  return new Map([...before, ...plan.write.map(({ path, text }) => [path, text] as const)])
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function fresh(): Map<string, string> {
  return carryOut(planScaffold(AXIOM, new Map()))
}

describe('the plan of the agents’ and rules’ files', () => {
  for (const vocabulary of Object.values(VOCABULARIES)) {
    it(`writes ${vocabulary.name} files that speak no other vocabulary`, () => {
      const foreign =
        vocabulary.name === 'axiom'
          ? /swarm|idea-|learnings?\b/i
          : /axiom|\btask\b|discover|\b(ava|axel|echo|rex|cleo|dex|ash)\b/i
      const guilty = planScaffold(vocabulary, new Map()).write.flatMap(({ path, text }) =>
        text.split('\n').flatMap((line) => (foreign.test(line) ? [`${path}: ${line}`] : [])),
      )
      expect(guilty).toEqual([])
    })
  }

  it('names every file it may look at', () => {
    expect(planScaffold(AXIOM, new Map()).write.map(({ path }) => path)).toEqual(scaffoldPaths(AXIOM))
  })

  it('has nothing to do the second time', () => {
    expect(planScaffold(AXIOM, fresh())).toMatchObject({ write: [], keep: [], differ: [] })
  })

  it('takes other line ends for no edit: git may have changed them', () => {
    const files = new Map([...fresh()].map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]))
    files.set(manifestPath(AXIOM), fresh().get(manifestPath(AXIOM)) ?? '')
    expect(planScaffold(AXIOM, files)).toMatchObject({ write: [], keep: [], differ: [] })
  })

  it('keeps a file that a person edited, and shows what they changed', () => {
    const files = fresh()
    files.set(PROMPT, `${files.get(PROMPT)}\nAlways answer in French.\n`)
    const { write, keep, differ } = planScaffold(AXIOM, files)
    expect({ write, differ }).toEqual({ write: [], differ: [] })
    expect(keep.map(({ path, reason }) => ({ path, reason }))).toEqual([{ path: PROMPT, reason: 'edited' }])
    expect(keep[0]?.diff).toContain('+Always answer in French.')
  })

  it('brings an untouched file up to date, and shows the difference', () => {
    const files = fresh().set(PROMPT, 'the old default\n')
    const manifest = {
      ...parseManifest(files.get(manifestPath(AXIOM))),
      [PROMPT]: sha256('the old default\n'),
    }
    const { write } = planScaffold(AXIOM, files, manifest)
    expect(write[0]).toMatchObject({ path: PROMPT, reason: 'updated' })
    expect(write[0]?.diff).toContain('-the old default\n+# Executor Echo - System Prompt')
  })

  it('never writes over an edited file whose default has changed as well, now or the next time', () => {
    const files = fresh().set(PROMPT, 'mine\n')
    const manifest = {
      ...parseManifest(files.get(manifestPath(AXIOM))),
      [PROMPT]: sha256('the old default\n'),
    }
    const plan = planScaffold(AXIOM, files, manifest)
    expect(plan.differ.map(({ path }) => path)).toEqual([PROMPT])
    expect(plan.differ[0]?.diff).toContain('-mine')
    const again = planScaffold(AXIOM, carryOut(plan, files))
    expect(again.differ.map(({ path }) => path)).toEqual([PROMPT])
    expect(again.write).toEqual([])
  })

  it('takes every file that differs for a person’s when the manifest is lost or broken', () => {
    const files = fresh().set(PROMPT, 'mine\n').set(manifestPath(AXIOM), '{"broken')
    const { write, differ } = planScaffold(AXIOM, files)
    expect(differ.map(({ path }) => path)).toEqual([PROMPT])
    expect(write.map(({ path }) => path)).toEqual([manifestPath(AXIOM)])
  })

  it('restores a deleted prompt, and lets a deleted skill stay away', () => {
    const files = fresh()
    files.delete(PROMPT)
    files.delete(SKILL)
    const { write, keep } = planScaffold(AXIOM, files)
    expect(write.map(({ path, reason }) => ({ path, reason }))).toEqual([
      { path: PROMPT, reason: 'restored' },
    ])
    expect(keep).toEqual([{ path: SKILL, reason: 'removed', diff: '' }])
  })

  it('leaves a view alone once it is there', () => {
    const files = fresh().set('.axiom/agents/echo/metrics.json', '{"persona":"echo","tasks":{"completed":9}}')
    expect(planScaffold(AXIOM, files).write).toEqual([])
  })
})
