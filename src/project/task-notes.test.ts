import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configSchema } from '../config/schema.ts'
import { newDelivery } from '../delivery/delivery-state.ts'
import { iterationOf } from '../personas/case-prompt.ts'
import { iterationText } from '../personas/iteration-text.ts'
import { FileStore } from '../store/jsonl/file-store.ts'
import { personEventContext } from './delivery/event-context.ts'
import { retryTask } from './interventions/retry-task.ts'
import { noteFeedback, readNotes } from './task-notes.ts'

let folder: string
let store: FileStore

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'axiom-notes-'))
  store = new FileStore({ folder })
})

afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A task that failed, and the questions about it that are open. */
async function failWith(...questions: readonly string[]): Promise<void> {
  const delivery = { ...newDelivery(), state: 'failed' }
  const answer = await store.transact({
    by: 'user',
    commands: [
      { kind: 'create', type: 'operation', content: 'feature' },
      { kind: 'create', type: 'task', content: 'first', parentId: 'op-001', metadata: { delivery } },
      { kind: 'claim', id: 'task-001', stage: 'develop', holder: 'echo-001', ttlMs: 60_000 },
      { kind: 'move', id: 'task-001', status: 'failed', reason: 'no luck' },
      ...questions.map((content) => ({
        kind: 'create' as const,
        type: 'pending' as const,
        content,
        parentId: 'op-001',
        metadata: { question: content, waitingTask: 'task-001' },
      })),
    ],
  })
  expect(answer).toMatchObject({ kind: 'committed' })
}

/** What the next developer is told of what the person said. */
async function toldAfter(note: string): Promise<string> {
  const world = personEventContext(folder, configSchema.parse({}))
  expect(await retryTask(store, world, 'user', 'task-001', note)).toMatchObject({ kind: 'retried' })
  const [task] = await store.query({ ids: ['task-001'] })
  if (!task) throw new Error('there is no task-001')
  const { number, answers = [] } = iterationOf(task, await store.query({ type: 'pending', status: 'done' }))
  const feedback = noteFeedback(await readNotes(store, task), 'developer', answers)
  return iterationText({ number, answers, feedback })
}

describe("a person's note to a retry", () => {
  it('is told once where a question was open', async () => {
    await failWith('Retry it?')
    const told = await toldAfter('greet politely')
    expect(told).toContain('Answer: greet politely')
    expect(told.split('greet politely')).toHaveLength(2)
  })

  it('is told once where it is longer than a note that is kept', async () => {
    await failWith('Retry it?')
    const told = await toldAfter(`greet politely ${'and so on '.repeat(500)}to the end`)
    expect(told.split('greet politely')).toHaveLength(2)
    expect(told).toContain('to the end')
  })

  it('is told once where it settles several questions', async () => {
    await failWith('Which port?', 'Retry it?')
    const told = await toldAfter('greet politely')
    expect(told.split('greet politely')).toHaveLength(2)
    expect(told).toContain('Question: Retry it?')
  })

  it('is told once where no question was open', async () => {
    await failWith()
    expect((await toldAfter('greet politely')).split('greet politely')).toHaveLength(2)
  })
})
