import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configSchema } from '../../config/schema.ts'
import { foldInbox } from '../../events/inbox.ts'
import { parseSignals } from '../../signals/signal-parser.ts'
import { FileStore } from '../../store/jsonl/file-store.ts'
import { applyEvent } from '../delivery/apply-event.ts'
import { type EventContext, personEventContext } from '../delivery/event-context.ts'
import { agentEvent, directorEvent } from '../delivery/make-event.ts'
import { proposeAnswers } from '../questions/standing-answers.ts'
import { answerQuestion } from './answer-question.ts'

const config = configSchema.parse({ review: { defaultMode: 'skip' } })
let folder: string
let store: FileStore
let serial = 0
let laterMs = 0

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'axiom-answer-'))
  laterMs = 0
  store = new FileStore({ folder, clock: () => new Date(Date.now() + laterMs).toISOString() })
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

const world = (): EventContext => {
  const propose = proposeAnswers(store)
  return {
    ...personEventContext(folder, config),
    standingAnswer: (_task, occurrence) => propose(occurrence),
  }
}

/** A developer claims the task and says this about it. */
async function develop(id: string, text: string): Promise<void> {
  serial += 1
  await store.transact({
    commands: [{ kind: 'claim', id, stage: 'develop', holder: 'echo-001', ttlMs: 60_000 }],
    by: 'echo-001',
  })
  await applyEvent(store, world(), {
    about: id,
    occurrence: directorEvent(id, 'CLAIMED', `claimed/${serial}`),
  })
  const [task] = await store.query({ ids: [id] })
  const fence = task?.leases?.develop?.fence ?? 0
  const said = parseSignals([text], { names: { tag: 'axiom', names: {} } }).signals.at(-1)
  if (!said) throw new Error(`no signal in ${text}`)
  const occurrence = agentEvent('developer', 'echo-001', said, `word/${serial}`, { fence })
  await applyEvent(store, world(), { about: id, occurrence })
}

const answer = (id: string, text: string, stands = false) =>
  answerQuestion(store, world(), { id, text, by: 'user', stands })

const waitOf = async (id: string) => {
  const [task] = await store.query({ ids: [id] })
  const { wait } = (task?.metadata.delivery ?? {}) as { wait?: { until: string; fallback: string } }
  return wait ?? { until: '', fallback: '' }
}

describe('an answer', () => {
  it('reaches the task that asked, by the question or by the task itself', async () => {
    await develop('task-001', '<axiom>PENDING:Which port?</axiom>')
    expect(await answer('pend-001', '8080')).toMatchObject({
      kind: 'answered',
      answer: '8080',
      task: 'task-001',
      state: 'queued',
    })
    await develop('task-002', '<axiom>PENDING:Which host?</axiom>')
    expect(await answer('task-002', 'here')).toMatchObject({ kind: 'answered', question: 'pend-002' })
    const questions = await store.query({ type: 'pending' })
    expect(questions.map(({ status, metadata }) => [status, metadata.decision])).toEqual([
      ['done', '8080'],
      ['done', 'here'],
    ])
  })

  it('that is a number means the option at that place', async () => {
    const options = 'Options Considered:\n- cents: exact\n- dollars: short\n'
    await develop('task-001', `SEEKING_DIVINE_CLARIFICATION\n\nQuestion: Which one?\n\n${options}`)
    expect(await answer('pend-001', '2')).toMatchObject({ kind: 'answered', answer: 'dollars' })
  })

  it('to nothing that is asked is refused, and a second one, too', async () => {
    expect(await answer('task-001', 'yes')).toMatchObject({ kind: 'refused', code: 'NOTHING_TO_ANSWER' })
    await develop('task-001', '<axiom>PENDING:Which port?</axiom>')
    await answer('pend-001', '8080')
    expect(await answer('pend-001', '9090')).toMatchObject({ kind: 'refused', code: 'NOTHING_TO_ANSWER' })
  })

  it('to a question that holds no task is kept with it', async () => {
    await store.transact({
      by: 'user',
      commands: [{ kind: 'create', type: 'pending', content: 'Which licence?' }],
    })
    expect(await answer('pend-001', 'MIT')).toMatchObject({ kind: 'answered', task: null })
    const [question] = await store.query({ ids: ['pend-001'] })
    expect(question).toMatchObject({ status: 'done', metadata: { decision: 'MIT' } })
  })
})

describe('a question that nobody answers in time', () => {
  it('is asked again, and the inbox shows until when', async () => {
    const DAY_MS = 86_400_000
    await develop('task-001', '<axiom>PENDING:Which port?</axiom>')
    const deadline = async () => foldInbox(await store.query({}))[0]?.deadline ?? ''
    const first = await deadline()
    expect(first).toBe((await waitOf('task-001')).until)
    laterMs = DAY_MS + 1_000
    const ended = directorEvent('task-001', 'WAIT_ENDED', 'wait-ended/1')
    await applyEvent(store, world(), { about: 'task-001', occurrence: ended })
    const second = await deadline()
    expect(second).toBe((await waitOf('task-001')).until)
    expect(Date.parse(second) - Date.parse(first)).toBeGreaterThanOrEqual(DAY_MS)
    expect(await answer('pend-001', '8080')).toMatchObject({ kind: 'answered', state: 'queued' })
  })
})

describe('a question that comes up again', () => {
  it('is answered by what a person said for good, at once and whatever id it names', async () => {
    await develop('task-001', '<axiom>PENDING:May task-001 change the public API?</axiom>')
    await answer('pend-001', 'no', true)
    await develop('task-002', '<axiom>PENDING:may task-002 change the public api</axiom>')
    const { until, fallback } = await waitOf('task-002')
    expect([fallback, until <= (await store.now())]).toEqual(['no', true])
    const ended = directorEvent('task-002', 'WAIT_ENDED', 'wait-ended/1')
    expect(await applyEvent(store, world(), { about: 'task-002', occurrence: ended })).toMatchObject({
      kind: 'moved',
      delivery: { state: 'queued' },
    })
    const [, repeated] = await store.query({ type: 'pending' })
    expect(repeated).toMatchObject({ status: 'done', metadata: { decision: 'no' } })
  })

  it('waits for a person when it is another one, with its own default for later', async () => {
    await develop('task-001', '<axiom>PENDING:May I?</axiom>')
    await answer('pend-001', 'no', true)
    await develop('task-002', '<axiom>PENDING:Must I? (default: yes)</axiom>')
    const { until, fallback } = await waitOf('task-002')
    expect([fallback, until > (await store.now())]).toEqual(['yes', true])
  })
})
