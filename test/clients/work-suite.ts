import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collect, endOf, messagesOf } from '../../src/agents/driver.contract.ts'
import { countOrphans, SCRIPTS, type ScriptedClient } from './scripted-subject.ts'

/** What every program is here for, beyond the contract: real files, real commits, and nothing left behind. */
export function workSuite(name: string, client: ScriptedClient): void {
  describe(`${name}, driven by AXIOM`, () => {
    it('edits a file, commits and speaks signals', async () => {
      const scratch = client.stage({ turns: [] })
      client.api.play({
        turns: [
          {
            speech: 'I write the file.',
            uses: [{ tool: 'write', path: join(scratch.workspace, 'greeting.txt'), content: 'hello\n' }],
          },
          {
            uses: [
              { tool: 'shell', command: 'git add -A && git commit -qm "feat: greet #task-001 @echo-001"' },
            ],
          },
          { speech: 'All done.\n\n<axiom>COMPLETE</axiom>' },
        ],
      })
      const events = await collect(await client.driver.start(scratch.request()))
      expect(endOf(events)).toMatchObject({ reason: 'completed' })
      expect(scratch.read('greeting.txt')).toBe('hello\n')
      expect(scratch.subjects()).toEqual(['feat: greet #task-001 @echo-001', 'first'])
      expect(messagesOf(events).at(-1)).toBe('All done.\n\n<axiom>COMPLETE</axiom>')
    })

    it('leaves nothing behind when it is killed in a tool that had left its group and session', async () => {
      const scratch = client.stage(SCRIPTS.hangs)
      const agent = await client.driver.start(scratch.request())
      const reading = collect(agent)
      await until(() => countOrphans() > 0)
      await agent.stop()
      expect(endOf(await reading).reason).toBe('stopped')
      expect(countOrphans()).toBe(0)
    })

    it('is told the system prompt', async () => {
      const scratch = client.stage({ turns: [{ speech: 'heard' }] })
      await collect(
        await client.driver.start(scratch.request({ systemPrompt: 'Speak like a lighthouse keeper.' })),
      )
      expect(JSON.stringify(client.api.requests)).toContain('Speak like a lighthouse keeper.')
    })
  })
}

const WAIT_MS_MAX = 120_000
const LOOK_EVERY_MS = 20

export async function until(holds: () => boolean): Promise<void> {
  for (let waitedMs = 0; !holds(); waitedMs += LOOK_EVERY_MS) {
    if (waitedMs > WAIT_MS_MAX) throw new Error(`not within ${WAIT_MS_MAX} ms: ${holds}`)
    await new Promise((done) => setTimeout(done, LOOK_EVERY_MS))
  }
}
