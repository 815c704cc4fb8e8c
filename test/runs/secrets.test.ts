import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { AgentRequest } from '../../src/agents/driver.ts'
import { simDriver } from '../../src/agents/drivers/sim.ts'
import { complete, openScene, say, work } from './scene.ts'

const BUILT = join(import.meta.dirname, '../../dist')
const PLACES = ['task', 'discovery', 'speech', 'check', 'message', 'lost'] as const

/** The text of every file below a folder, but for the store itself: there lies what a person wrote, as he wrote it. */
function textUnder(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('cases.jsonl'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
}

it('F26: no secret is in a prompt, a log, the evidence or an event, wherever it came from', async () => {
  const canary = Object.fromEntries(PLACES.map((place) => [place, `${place}-${randomUUID()}`])) as Record<
    (typeof PLACES)[number],
    string
  >
  const requests: AgentRequest[] = []
  const scene = await openScene({
    secrets: Object.values(canary),
    verification: ['echo "the token is $(cat token.txt)"; test -f greeting.txt'],
    entries: [
      {
        agent: 'echo-001',
        iteration: 1,
        steps: [say(`I found ${canary.speech}.`), ...work('token.txt', canary.check), complete],
      },
      { agent: 'echo-001', steps: [say(`Before I go: ${canary.lost}`), { do: 'crash' }] },
      { steps: [...work('greeting.txt', 'hello\n'), complete] },
    ],
    makeDriver: (host) => {
      const driver = simDriver(host, { built: BUILT })
      return {
        ...driver,
        start: (request) => {
          requests.push(request)
          return driver.start(request)
        },
      }
    },
  })
  try {
    await scene.commit(
      { kind: 'update', id: 'task-001', content: `Greet with ${canary.task}` },
      {
        kind: 'create',
        type: 'discovery',
        parentId: 'task-001',
        content: `The key is ${canary.discovery}`,
        metadata: { scope: 'global', sourceTaskId: 'task-001', sourceAgentId: 'echo-000' },
      },
      {
        kind: 'update',
        id: 'task-001',
        metadata: { run: { messages: [{ by: 'user', text: `Use ${canary.message}` }] } },
      },
    )
    const { end: first } = await scene.run()
    expect(first.kind).toBe('restart')
    const { end } = await scene.run()
    expect(end.kind).toBe('complete')
    const prompts = requests.map(({ prompt, systemPrompt }) => `${systemPrompt}\n${prompt}`)
    // The words around them are there, so it was these places that were looked at.
    const all = prompts.join('\n')
    for (const words of [
      'Greet with [redacted]',
      'The key is [redacted]',
      'Use [redacted]',
      'the token is [redacted]',
      'Before I go: [redacted]',
    ])
      expect(all).toContain(words)
    const kept = textUnder(join(scene.world.root, '.axiom'))
    expect(kept).toContain('I found [redacted]')
    const seen = `${all}\n${kept}\n${JSON.stringify(scene.rows)}`
    expect(PLACES.filter((place) => seen.includes(canary[place]))).toEqual([])
  } finally {
    await scene.close()
  }
})
