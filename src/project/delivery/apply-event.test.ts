import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { configSchema } from '../../config/schema.ts'
import type { Occurrence } from '../../delivery/occurrence.ts'
import { parseSignals } from '../../signals/signal-parser.ts'
import { FileStore } from '../../store/jsonl/file-store.ts'
import { readProject } from '../document.ts'
import { applyEvent } from './apply-event.ts'
import { personEventContext } from './event-context.ts'
import { agentEvent, directorEvent, personEvent } from './make-event.ts'

const NAMES = { tag: 'axiom', names: {} }
const config = configSchema.parse({ review: { defaultMode: 'skip' } })

let folder: string
let store: FileStore

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'axiom-word-'))
  store = new FileStore({ folder })
  await store.transact({
    by: 'user',
    commands: [
      { kind: 'create', type: 'operation', content: 'feature' },
      { kind: 'create', type: 'task', content: 'first', parentId: 'op-001' },
      { kind: 'create', type: 'task', content: 'second', parentId: 'op-001' },
    ],
  })
})

afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const world = () => personEventContext(folder, config)
const say = (about: string, occurrence: Occurrence) => applyEvent(store, world(), { about, occurrence })

async function claim(id: string, holder: string): Promise<number> {
  await store.transact({
    commands: [{ kind: 'claim', id, stage: 'develop', holder, ttlMs: 60_000 }],
    by: holder,
  })
  await say(id, directorEvent(id, 'CLAIMED', `claimed/${id}`))
  const [task] = await store.query({ ids: [id] })
  return task?.leases?.develop?.fence ?? 0
}

function developers(text: string, fence: number, id: string): Occurrence {
  const said = parseSignals([text], { names: NAMES }).signals.at(-1)
  if (!said) throw new Error(`no signal in ${text}`)
  return agentEvent('developer', 'echo-001', said, id, { fence })
}

it('puts a question before the person, and closes it with the answer', async () => {
  const fence = await claim('task-001', 'echo-001')
  const asked = developers('<axiom>PENDING:Which port?</axiom>', fence, 'word-1')
  expect(await say('task-001', asked)).toMatchObject({ kind: 'moved', delivery: { state: 'asking' } })
  const [question] = await store.query({ type: 'pending' })
  expect(question).toMatchObject({ content: 'Which port?', status: 'pending' })

  const answer = personEvent('task-001', 'ANSWERED', { id: 'answer-1', by: 'user', text: '8080' })
  expect(await say('task-001', answer)).toMatchObject({ kind: 'moved', task: { status: 'pending' } })
  const [closed] = await store.query({ type: 'pending' })
  expect(closed).toMatchObject({ status: 'done', metadata: { decision: '8080' } })
})

it('counts a word once, however often it is said', async () => {
  const fence = await claim('task-001', 'echo-001')
  const blocked = developers('<axiom>BLOCKED:no key</axiom>', fence, 'word-1')
  expect(await say('task-001', blocked)).toMatchObject({ kind: 'moved' })
  expect(await say('task-001', blocked)).not.toMatchObject({ kind: 'moved' })
  expect(await store.query({ type: 'pending' })).toHaveLength(1)
})

it('takes no word under a claim that was lost', async () => {
  const fence = await claim('task-001', 'echo-001')
  await store.transact({ commands: [{ kind: 'release', id: 'task-001', stage: 'develop' }], by: 'user' })
  const late = developers('<axiom>BLOCKED:no key</axiom>', fence, 'word-1')
  expect(await say('task-001', late)).toEqual({ kind: 'fence-lost' })
})

it('lets one of two tasks lead the repair of what both met', async () => {
  const fences = [await claim('task-001', 'echo-001'), await claim('task-002', 'echo-002')]
  const report = (id: string, fence = 0) =>
    say(id, developers(`INFRA_BLOCKED: ${id}\n\nIssue: the disk is gone\n`, fence, `word-${id}`))
  const answers = await Promise.all([report('task-001', fences[0]), report('task-002', fences[1])])
  const states = answers.map((answer) => (answer.kind === 'moved' ? answer.delivery.state : answer.kind))
  expect(states.toSorted()).toEqual(['awaiting-repair', 'remediating'])
  const leader = states[0] === 'remediating' ? 'task-001' : 'task-002'
  expect((await readProject(store)).project.repairLedBy).toBe(leader)
})

it('keeps the last word of each role, whole', async () => {
  const fence = await claim('task-001', 'echo-001')
  await say('task-001', developers('<axiom>BLOCKED:no key</axiom>', fence, 'word-1'))
  const [task] = await store.query({ ids: ['task-001'] })
  const words = task?.metadata.words as { developer: { digest: string } }
  const blob = await store.getBlob(words.developer.digest)
  expect(JSON.parse(Buffer.from(blob ?? []).toString('utf8'))).toMatchObject({ payload: 'no key' })
})
