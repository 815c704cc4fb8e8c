import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openScene, TASK } from './scene.ts'

const PLACES = ['task', 'discovery', 'speech', 'check', 'message', 'lost'] as const
const AGENT = join(import.meta.dirname, 'programs/leaky-agent.mjs')
const WORLD_WRITABLE = 0o777

/** Checkpoints and recordings keep the store's lines as they are. */
const LINE_OF_STORE = /^\{"id":"[a-z]+-\d+","rev":\d+,/m

/** The text of every file below a folder, but for the store itself: there lies what a person wrote, as he wrote it. */
function textUnder(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('cases.jsonl'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .filter((text) => !LINE_OF_STORE.test(text))
    .join('\n')
}

it('F26: no secret is in a prompt, a log, the evidence or an event, wherever it came from', async () => {
  const canary = Object.fromEntries(PLACES.map((place) => [place, `${place}-${randomUUID()}`])) as Record<
    (typeof PLACES)[number],
    string
  >
  // As a user has them: under telling names in his environment.
  const environment = Object.fromEntries(
    PLACES.map((place) => [`${place.toUpperCase()}_TOKEN`, canary[place]]),
  )
  const sim = { driver: 'sim' }
  const told = 'told'
  const scene = await openScene({
    environment,
    verification: ['echo "the token is $(cat token.txt)"; test ! -f token.txt -o -f greeting.txt'],
  })
  try {
    const folder = join(scene.scratch, told)
    const slip = join(scene.scratch, 'slip.json')
    mkdirSync(folder)
    chmodSync(folder, WORLD_WRITABLE)
    writeFileSync(slip, JSON.stringify(canary))
    scene.configure({
      agents: {
        driver: 'command',
        command: ['node', AGENT, folder, slip],
        maxConcurrent: 1,
        roles: { critic: sim, auditor: sim },
      },
      sandbox: { readOnly: [slip], readWrite: [folder] },
    })
    const store = await scene.store()
    await store.transact({
      commands: [
        { kind: 'update', id: TASK, content: `Greet with ${canary.task}` },
        {
          kind: 'create',
          type: 'discovery',
          parentId: TASK,
          content: `The key is ${canary.discovery}`,
          metadata: { scope: 'global', sourceTaskId: TASK, sourceAgentId: 'echo-000' },
        },
        {
          kind: 'update',
          id: TASK,
          metadata: { run: { messages: [{ by: 'user', text: `Use ${canary.message}` }] } },
        },
      ],
      by: 'user',
    })
    await scene.run()
    expect(await scene.task(TASK)).toMatchObject({
      status: 'done',
      metadata: { execution: { retryCount: 1 } },
    })
    const prompts = textUnder(folder)
    // The words around them are there, so it was these places that were looked at.
    for (const words of [
      'Greet with [redacted]',
      'The key is [redacted]',
      'Use [redacted]',
      'the token is [redacted]',
      'Before I go: [redacted]',
    ])
      expect(prompts).toContain(words)
    const kept = textUnder(join(scene.root, '.axiom'))
    expect(kept).toContain('I found [redacted]')
    const seen = `${prompts}\n${kept}\n${JSON.stringify(scene.rows)}\n${JSON.stringify(scene.notices)}`
    expect(PLACES.filter((place) => seen.includes(canary[place]))).toEqual([])
  } finally {
    await scene.close()
  }
})
