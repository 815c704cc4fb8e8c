import { once } from 'node:events'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BlobText, CaseDetail, Diff, FileText, LogRange, Tree } from '../../src/server/contract.ts'
import { fill, layOutGit, type Rig, startRig } from './rig.ts'

let rig: Rig
let commits: { readonly base: string; readonly work: string }

beforeAll(async () => {
  rig = await startRig()
  await fill(rig.store, 3)
  commits = layOutGit(rig.folder)
})
afterAll(() => rig[Symbol.asyncDispose]())

async function read<Answer>(path: string): Promise<Answer> {
  const answer = await rig.get(path)
  expect([path, answer.status]).toEqual([path, 200])
  return (await answer.json()) as Answer
}

describe('the work on a task', () => {
  it('is shown as a diff against where it began, from git objects alone', async () => {
    const diff = await read<Diff>('/api/cases/task-001/diff')
    expect(diff).toMatchObject({ base: commits.base, commit: commits.work })
    expect(diff.files.map(({ path, oldPath, kind, binary }) => [path, oldPath, kind, binary])).toEqual([
      ['deep/er/file.ts', null, 'added', false],
      ['kept.txt', null, 'changed', false],
      ['new "name".txt', 'old name.txt', 'renamed', false],
      ['picture.bin', null, 'added', true],
    ])
    const [hunk] = diff.files.find(({ path }) => path === 'kept.txt')?.hunks ?? []
    expect(hunk?.lines).toEqual([
      { side: 'both', text: 'one' },
      { side: 'old', text: 'two' },
      { side: 'new', text: '2' },
      { side: 'both', text: 'three' },
      // Lines of a file that look like a patch are lines of a file.
      { side: 'new', text: '--- a/x' },
      { side: 'new', text: '+++ b/x' },
      { side: 'new', text: '@@ -1 +1 @@', unfinished: true },
    ])
  })

  it('can be read file by file', async () => {
    const one = await read<Diff>('/api/cases/task-001/diff?path=deep/er/file.ts')
    expect(one.files.map(({ path }) => path)).toEqual(['deep/er/file.ts'])
    const file = await read<FileText>(`/api/files?commit=${commits.work}&path=deep/er/file.ts`)
    expect(file).toMatchObject({ text: 'export const x = 1\n', bytes: 19, binary: false, cut: false })
    const tree = await read<Tree>(`/api/trees?commit=${commits.work}&path=deep`)
    expect(tree.entries).toEqual([{ name: 'er', kind: 'folder', bytes: null }])
    const top = await read<Tree>(`/api/trees?commit=${commits.work}`)
    expect(top.entries.map(({ name }) => name)).toContain('picture.bin')
    expect((await rig.get(`/api/files?commit=main&path=kept.txt`)).status).toBe(400)
    expect((await rig.get('/api/cases/task-002/diff')).status).toBe(404)
  })
})

describe('a case', () => {
  it('is told with its lineage, history, criteria, evidence and work', async () => {
    const findings = [
      {
        text: 'fails on -1',
        file: 'kept.txt',
        line: 2,
        criterion: null,
        by: 'critic-001',
        commit: commits.work,
      },
    ]
    const said = {
      body: {
        criteria: [
          { criterion: 'The parser reads numbers', verdict: 'VERIFIED', evidence: 'npm test: 3 passed' },
          { criterion: 'C1', verdict: 'VERIFIED', evidence: 'named by its number' },
          { criterion: 'C2', verdict: 'VERIFIED', evidence: 'of another criterion' },
        ],
      },
    }
    const blob = async (value: unknown) => rig.store.putBlob(Buffer.from(JSON.stringify(value)))
    await rig.store.transact({
      by: 'user',
      commands: [
        {
          kind: 'update',
          id: 'task-001',
          metadata: {
            words: { auditor: { signal: 'AUDIT_PASSED', digest: await blob(said), commit: commits.work } },
            delivery: {
              state: 'critique',
              findings: await blob(findings),
              verdicts: [
                {
                  id: 'v1',
                  signal: 'REVIEW_FAILED',
                  sender: 'critic',
                  agent: 'critic-001',
                  commit: commits.work,
                  at: '2026-01-01T00:00:00.000Z',
                },
              ],
            },
          },
        },
      ],
    })
    const detail = await read<CaseDetail>('/api/cases/task-001')
    expect(detail.lineage.map(({ id }) => id)).toEqual(['dir-001', 'op-001'])
    expect(detail.history.map(({ reason }) => reason)).toContain('created')
    expect(detail.criteria).toEqual([
      {
        text: 'the parser reads numbers',
        state: 'met',
        evidence: [
          { by: 'auditor', text: 'npm test: 3 passed', commit: commits.work },
          { by: 'auditor', text: 'named by its number', commit: commits.work },
        ],
      },
    ])
    expect(detail.thread).toMatchObject([
      {
        verdict: 'REVIEW_FAILED',
        by: 'critic-001',
        issues: [{ text: 'fails on -1', file: 'kept.txt', line: 2 }],
      },
    ])
    expect(detail.work).toMatchObject([{ number: 1, commit: commits.work }])
    await moveThrough('task-002')
    const { thread } = await read<CaseDetail>('/api/cases/task-002')
    expect(
      thread.map(({ verdict, by, to, commit }) => [verdict, by, to, commit?.slice(0, 2) ?? null]),
    ).toEqual([
      ['CLAIMED', 'echo-001', 'developing', null],
      ['COMPLETE', 'echo-001', 'critique', null],
      ['REVIEW_FAILED', 'critic-001', 'developing', 'aa'],
      ['COMPLETE', 'echo-001', 'critique', 'bb'],
      ['REVIEW_PASSED', 'critic-002', 'audit', 'bb'],
      ['LANDED', 'director', 'landed', 'cc'],
    ])
    expect(thread[2]).toMatchObject({ issues: [{ text: 'fails on -1' }], text: 'too long' })
    expect(thread[5]).toMatchObject({ text: 'after a merge', issues: [] })
    const evidence = await read<BlobText>(`/api/blobs/${await blob(said)}`)
    expect(JSON.parse(evidence.text)).toEqual(said)
    expect((await rig.get('/api/cases/task-999')).status).toBe(404)
  })
})

/** As delivery writes it: every move in the history, some of them twice, and the last verdicts in the task. */
async function moveThrough(id: string): Promise<void> {
  const at = '2026-01-01T00:00:00.000Z'
  const verdict = (signal: string, agent: string, letter: string) => ({
    id: `${signal} ${letter}`,
    signal,
    sender: 'someone',
    agent,
    commit: letter.repeat(40),
    at,
  })
  const findings = await rig.store.putBlob(
    Buffer.from(
      JSON.stringify([
        { by: 'critic-001', commit: 'a'.repeat(40), text: 'fails on -1', file: 'kept.txt', line: 2 },
        { by: 'critic-001', commit: 'a'.repeat(40), kind: 'advice', text: 'too long' },
      ]),
    ),
  )
  const verdicts = [
    verdict('REVIEW_FAILED', 'critic-001', 'a'),
    verdict('COMPLETE', 'echo-001', 'b'),
    verdict('REVIEW_PASSED', 'critic-002', 'b'),
    verdict('LANDED', 'director', 'b'),
  ]
  const reasons: readonly (readonly [by: string, reason: string])[] = [
    ['echo-001', 'CLAIMED by director: queued → developing'],
    ['echo-001', 'taken up by echo-001'],
    ['echo-001', 'COMPLETE by echo-001: developing → critique'],
    ['critic-001', 'REVIEW_FAILED by critic-001: critique → developing'],
    ['echo-001', 'COMPLETE by echo-001: developing → critique'],
    ['critic-002', 'REVIEW_PASSED by critic-002: critique → audit'],
    ['director', 'LANDED by director: integrating → landed (after a merge)'],
  ]
  for (const [by, reason] of reasons) {
    const commands = [
      { kind: 'update', id, metadata: { note: reason }, reason } as const,
      { kind: 'update', id, metadata: { other: reason }, reason } as const,
    ]
    expect(await rig.store.transact({ by, commands })).toMatchObject({ kind: 'committed' })
  }
  const landing = { landed: { commit: 'c'.repeat(40) } }
  const metadata = { delivery: { state: 'landed', findings, verdicts }, landing }
  await rig.store.transact({ by: 'director', commands: [{ kind: 'update', id, metadata }] })
}

describe('a log', () => {
  const LINES = 1_000_000
  const line = (number: number) => `{"event":"iteration","number":${number},"output":"${'x'.repeat(40)}"}`
  let bytes = 0

  beforeAll(async () => {
    const folder = join(rig.folder, 'agents/echo/logs')
    mkdirSync(folder, { recursive: true })
    const file = createWriteStream(join(folder, 'task-001.jsonl'))
    for (let from = 0; from < LINES; from += 10_000) {
      const piece = Buffer.from(Array.from({ length: 10_000 }, (_, at) => `${line(from + at)}\n`).join(''))
      bytes += piece.length
      if (!file.write(piece)) await once(file, 'drain')
    }
    file.end()
    await finished(file)
    writeFileSync(join(folder, 'task-002.jsonl'), 'first\nsecond\nunfinished')
    writeFileSync(join(folder, 'task-003.jsonl'), 'y'.repeat(50_000))
  })

  it('of a million lines is opened at its end, and read backwards and forwards in whole lines', async () => {
    const { logs } = await read<CaseDetail>('/api/cases/task-001')
    expect(logs).toMatchObject([{ agents: 'echo', file: 'task-001.jsonl', bytes }])
    const end = await read<LogRange>('/api/logs/echo/task-001.jsonl?bytes=65536')
    expect(end.to).toBe(bytes)
    expect(end.text.endsWith(`${line(LINES - 1)}\n`)).toBe(true)
    expect(end.text.length).toBeLessThanOrEqual(65_536)
    const before = await read<LogRange>(`/api/logs/echo/task-001.jsonl?bytes=65536&before=${end.from}`)
    expect(before.to).toBe(end.from)
    const numbers = `${before.text}${end.text}`
      .trim()
      .split('\n')
      .map((text) => (JSON.parse(text) as { number: number }).number)
    expect(numbers).toEqual(Array.from(numbers, (_, at) => LINES - numbers.length + at))
    const begin = await read<LogRange>('/api/logs/echo/task-001.jsonl?from=0&bytes=1000')
    const next = await read<LogRange>(`/api/logs/echo/task-001.jsonl?from=${begin.to}&bytes=1000`)
    expect(`${begin.text}${next.text}`.startsWith(`${line(0)}\n${line(1)}\n`)).toBe(true)
    expect(next.from).toBe(begin.to)
  })

  it('leaves a line that is being written for later, and gets on with one that is longer than a piece', async () => {
    const whole = await read<LogRange>('/api/logs/echo/task-002.jsonl?from=0')
    expect(whole).toMatchObject({ text: 'first\nsecond\n', to: 13 })
    expect(await read<LogRange>('/api/logs/echo/task-002.jsonl?from=13')).toMatchObject({
      text: '',
      from: 13,
      to: 13,
    })
    const piece = await read<LogRange>('/api/logs/echo/task-003.jsonl?from=0&bytes=1000')
    expect(piece).toMatchObject({ from: 0, to: 1_000 })
  })
})
