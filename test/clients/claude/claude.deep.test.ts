import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collect, driverContract, endOf, messagesOf } from '../../../src/agents/driver.contract.ts'
import type { AgentEvent } from '../../../src/agents/driver.ts'
import { claudeDriver } from '../../../src/agents/drivers/claude.ts'
import type { ModelRequest } from '../../scripted-api/script.ts'
import { contractSubject, countOrphans, SCRIPTS } from '../scripted-subject.ts'
import { until } from '../work-suite.ts'
import { CLAUDE_MODEL, claude, useClaude } from './use-claude.ts'

const TOOL_SERVER = resolve(import.meta.dirname, '../../programs/tool-server.mjs')

const client = useClaude()

driverContract(contractSubject('claude', client))

describe(`claude ${claude.version}, driven by AXIOM`, () => {
  it('edits a file, commits, calls a tool of ours and speaks signals', async () => {
    const scratch = client.stage({ turns: [] })
    const notes = join(scratch.workspace, 'notes.jsonl')
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
        { uses: [{ tool: 'named', name: 'mcp__notes__signal', input: { type: 'PROGRESS' } }] },
        {
          speech: 'A discovery:\n<axiom>DISCOVERY_GLOBAL:greetings help</axiom>',
          uses: [{ tool: 'shell', command: 'true' }],
        },
        { speech: 'All done.\n\n<axiom>COMPLETE</axiom>' },
      ],
    })
    const toolServers = [
      { name: 'notes', command: ['node', TOOL_SERVER, notes], environment: { NOTES_AGENT: 'echo-001' } },
    ]
    const request = scratch.request({ toolServers, readOnly: [TOOL_SERVER] })
    const events = await collect(await client.driver.start(request))
    expect(endOf(events)).toMatchObject({ reason: 'completed', exitCode: 0 })
    expect(scratch.read('greeting.txt')).toBe('hello\n')
    expect(scratch.subjects()).toEqual(['feat: greet #task-001 @echo-001', 'first'])
    expect(JSON.parse(readFileSync(notes, 'utf8'))).toEqual({ type: 'PROGRESS', agent: 'echo-001' })
    expect(messagesOf(events)).toEqual([
      'I write the file.',
      'A discovery:\n<axiom>DISCOVERY_GLOBAL:greetings help</axiom>',
      'All done.\n\n<axiom>COMPLETE</axiom>',
    ])
    expect(toolsOf(events)).toEqual(['Write', 'Bash', 'mcp__notes__signal', 'Bash'])
    expect(events).toContainEqual({
      type: 'usage',
      usage: { inputTokens: 5_000, cachedInputTokens: 0, outputTokens: 250 },
    })
  })

  it('is told the model and the system prompt, and sends nothing else anywhere', async () => {
    const scratch = client.stage({ turns: [{ speech: 'heard' }] })
    await collect(
      await client.driver.start(scratch.request({ systemPrompt: 'Speak like a lighthouse keeper.' })),
    )
    expect(client.api.requests.map(({ model }) => model)).toEqual([CLAUDE_MODEL])
    expect(JSON.stringify(client.api.requests[0]?.body.system)).toContain('Speak like a lighthouse keeper.')
  })

  it('is interrupted in its speech and goes on with another message in the same process', async () => {
    // Interrupted before it has taken in a word, claude keeps nothing of the turn and asks for it again.
    const isFirst = ({ number }: ModelRequest): boolean => number === 0
    const back = 'Back on the path.'
    const reply = (request: ModelRequest): string => (isFirst(request) ? 'I talk without end' : back)
    const scratch = client.stage({ turns: [{ reply, stalls: isFirst }, { speech: back }] })
    const agent = await client.driver.start(scratch.request())
    const reading = collect(agent)
    await until(() => client.api.requests.length > 0)
    expect(await agent.interrupt('Leave that; do this instead.')).toBe(true)
    const events = await reading
    expect(messagesOf(events).at(-1)).toBe(back)
    expect(endOf(events)).toMatchObject({ reason: 'completed' })
    expect(JSON.stringify(client.api.requests.at(-1)?.body)).toContain('do this instead')
  })

  it('is resumed after it was killed in the middle of a tool', async () => {
    const scratch = client.stage({
      turns: [
        { speech: 'I sleep.', uses: [{ tool: 'shell', command: 'sleep 300' }] },
        { speech: 'I woke up.' },
        { speech: 'I woke up.' },
      ],
    })
    const agent = await client.driver.start(scratch.request())
    const reading = collect(agent)
    await until(() => client.api.requests.length > 0)
    await new Promise((done) => setTimeout(done, 1_000))
    await agent.stop()
    const { session } = endOf(await reading)
    if (!session) throw new Error('the end carries no session')
    const events = await collect(await client.driver.resume(session, scratch.request({ prompt: 'Go on.' })))
    expect(messagesOf(events).at(-1)).toBe('I woke up.')
    expect(endOf(events)).toMatchObject({ reason: 'completed' })
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

  it('asks before it uses a tool, and goes on without it when refused', async () => {
    const scratch = client.stage({
      turns: [
        { uses: [{ tool: 'shell', command: `node -e "require('fs').writeFileSync('forbidden', '')"` }] },
        { speech: 'Then without.' },
      ],
    })
    const asked: string[] = []
    const permit: NonNullable<ReturnType<typeof scratch.request>['permit']> = async ({ tool }) => {
      asked.push(tool)
      return { kind: 'deny', reason: 'not today' }
    }
    const events = await collect(await client.driver.start(scratch.request({ permit })))
    expect(asked).toEqual(['Bash'])
    expect(events).toContainEqual(expect.objectContaining({ type: 'permission-denied', tool: 'Bash' }))
    expect(messagesOf(events).at(-1)).toBe('Then without.')
    expect(() => scratch.read('forbidden')).toThrow()
  })

  it.each([
    ['a refused key', 401, 'AGENT_LOGGED_OUT'],
    ['a model that is not there', 404, 'AGENT_MODEL_UNKNOWN'],
  ])('tells %s', async (_, status, code) => {
    const scratch = client.stage({ turns: [], faultFor: () => ({ kind: 'status', status }) })
    const end = endOf(await collect(await client.driver.start(scratch.request())))
    expect(end).toMatchObject({ reason: 'failed', error: { code, retryable: false } })
  })

  it('that is not installed is told before anything starts', async () => {
    const scratch = client.stage({ turns: [] })
    const credentials = { environment: {}, files: {}, secrets: [] }
    const driver = claudeDriver(client.host, { program: '/nowhere/claude', credentials })
    await expect(driver.start(scratch.request())).rejects.toMatchObject({ code: 'PREREQ_NO_AGENT' })
  })
})

if (process.env.AXIOM_LOOPBACK_ONLY === '1') {
  it('runs in a network that ends at this machine', async () => {
    const refusal = await new Promise<string>((done) => {
      const socket = connect({ host: '192.0.2.1', port: 80, timeout: 2_000 })
      socket.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? ''))
      socket.on('timeout', () => done('timeout'))
      socket.on('connect', () => done('connected'))
    })
    expect(refusal).toBe('ENETUNREACH')
  })
}

function toolsOf(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'tool-call' ? [event.tool] : []))
}
