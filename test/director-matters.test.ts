import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configSchema } from '../src/config/schema.ts'
import type { Hands } from '../src/director/hands.ts'
import { settleQuestion } from '../src/director/questions/settle-question.ts'
import { personEventContext } from '../src/project/delivery/event-context.ts'
import { answerQuestion } from '../src/project/interventions/answer-question.ts'
import {
  PROJECT_QUESTIONS,
  type ProjectQuestionKind,
  type ProjectQuestionOption,
  projectQuestionOf,
  questionMetadata,
} from '../src/project/questions/project-question.ts'
import { FileStore } from '../src/store/jsonl/file-store.ts'
import { deskOf } from './director-desk.ts'
import { NOW_MS } from './director-scene.ts'

const KINDS = Object.keys(PROJECT_QUESTIONS) as ProjectQuestionKind[]
const EVERY_OPTION: readonly ProjectQuestionOption[] = [
  'merge',
  'mine',
  'restore',
  'follow',
  'lift',
  'retry',
  'leave',
]
const config = configSchema.parse({})
let folder: string
let store: FileStore

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'axiom-matters-'))
  store = new FileStore({ folder })
})

afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Asks about a trouble as the director does. */
async function ask(kind: ProjectQuestionKind, commit?: string): Promise<string> {
  const matter = { kind, name: 'trouble', context: 'it is so', ...(commit ? { commit } : {}) }
  const metadata = questionMetadata(matter, { minutes: 60, action: 'retry' }, NOW_MS)
  const { question } = PROJECT_QUESTIONS[kind]
  const made = await store.transact({
    commands: [{ kind: 'create', type: 'pending', content: question, metadata }],
    by: 'director',
  })
  return made.kind === 'committed' ? (made.created[0] ?? '') : ''
}

const answer = (id: string, text: string) =>
  answerQuestion(store, personEventContext(folder, config), { id, text, by: 'user' })

/** Closes a question with a decision by editing the case, past every check of the answer. */
async function decide(id: string, decision: string): Promise<void> {
  const outcome = await store.transact({
    commands: [
      { kind: 'update', id, metadata: { decision } },
      { kind: 'complete', id, result: decision },
    ],
    by: 'user',
  })
  expect(outcome.kind).toBe('committed')
}

async function settle(id: string) {
  const used: string[] = []
  const hands: Partial<Hands> = {
    adoptUser: async (commit) => {
      used.push(`adopt ${commit}`)
      return { kind: 'nothing-new' } as Awaited<ReturnType<NonNullable<Hands['adoptUser']>>>
    },
    restore: async () => void used.push('restore'),
    followRewritten: async (commit) => void used.push(`follow ${commit}`),
  }
  const desk = deskOf(store, hands)
  await settleQuestion(desk, id)
  const [subject] = await store.query({ ids: [id] })
  return { used, ...(subject && projectQuestionOf(subject)), notices: desk.notices }
}

describe('an answer about the whole project', () => {
  it.each(KINDS)('is one of the options of its question, others are refused with them: %s', async (kind) => {
    const id = await ask(kind)
    const labels = PROJECT_QUESTIONS[kind].options.map(({ label }) => label)
    for (const text of [...EVERY_OPTION.filter((option) => !labels.includes(option)), 'perhaps', '7']) {
      expect([text, await answer(id, text)]).toEqual([
        text,
        expect.objectContaining({
          kind: 'refused',
          code: 'ANSWER_REFUSED',
          hint: expect.stringContaining(labels.join(', ')),
        }),
      ])
      const [question] = await store.query({ ids: [id] })
      expect([text, question?.status, question?.metadata.decision]).toEqual([text, 'pending', null])
    }
    expect(await answer(id, `${labels[0]?.toUpperCase()}, please`)).toMatchObject({ kind: 'answered' })
  })

  it('is taken by the number of an option', async () => {
    expect(await answer(await ask('publish-refused'), '1')).toMatchObject({
      kind: 'answered',
      answer: 'retry',
    })
  })
})

describe('a decision about the whole project', () => {
  it('is followed where its question offers it', async () => {
    const id = await ask('user-rewritten', 'c1')
    await answer(id, 'mine')
    expect(await settle(id)).toMatchObject({ used: ['adopt c1'], followed: true, name: `trouble/${id}` })
  })

  it.each(['mine', 'restore', 'follow', 'perhaps'])(
    'that its question does not offer changes nothing, and the trouble is asked about again: %s',
    async (decision) => {
      const id = await ask('publish-refused')
      await decide(id, decision)
      expect(await settle(id)).toMatchObject({
        used: [],
        followed: true,
        name: `trouble/${id}`,
        notices: [{ code: 'PUBLISH_REFUSED', message: expect.stringContaining('retry, leave') }],
      })
    },
  )

  it('to leave it keeps the name of the trouble: it is not asked about again', async () => {
    const id = await ask('publish-refused')
    await answer(id, 'leave')
    expect(await settle(id)).toMatchObject({ used: [], followed: true, name: 'trouble', notices: [] })
  })
})
