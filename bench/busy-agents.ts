import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentHost } from '../src/agents/agent-run.ts'
import { NO_CREDENTIALS } from '../src/agents/credentials.ts'
import type { AgentProcess } from '../src/agents/driver.ts'
import { claudeDriver } from '../src/agents/drivers/claude.ts'
import { atMost, type Report } from './measure.ts'

const AGENTS = 50
const LINES_PER_SECOND = 20
const WARM_UP_MS = 3_000
const MEASURED_MS = 10_000
const CORE_SHARE_MAX = 0.25

/** Prints a message or a tool call every 50 ms, in the protocol of a real agent. */
const BUSY = `#!/usr/bin/env node
const print = (event) => process.stdout.write(JSON.stringify(event) + '\\n')
print({ type: 'system', subtype: 'init', session_id: 's', model: 'busy' })
let n = 0
setInterval(() => {
  n += 1
  const block = n % 2 ? { type: 'text', text: 'I look at the next file and think about it. '.repeat(5) }
    : { type: 'tool_use', id: 'call-' + n, name: 'Bash', input: { command: 'git status --short' } }
  print({ type: 'assistant', message: { id: 'm' + n, content: [block], usage: {} }, parent_tool_use_id: null })
}, 1000 / ${LINES_PER_SECOND})
`

/** What the orchestrator itself costs while its agents work. */
export async function measureBusyAgents(report: Report, host: AgentHost): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'axiom-bench-')))
  const agents: AgentProcess[] = []
  try {
    const program = join(folder, 'busy')
    await writeFile(program, BUSY, { mode: 0o755 })
    const driver = claudeDriver(host, { program, credentials: NO_CREDENTIALS })
    let lines = 0
    for (let number = 0; number < AGENTS; number += 1) {
      const agent = await driver.start(await makeRequest(folder, number))
      agents.push(agent)
      void follow(agent, () => {
        lines += 1
      })
    }
    await sleep(WARM_UP_MS)
    const [before, linesBefore, begun] = [process.cpuUsage(), lines, performance.now()]
    await sleep(MEASURED_MS)
    const seconds = (performance.now() - begun) / 1_000
    const { user, system } = process.cpuUsage(before)
    const share = (user + system) / 1e6 / seconds
    const perSecond = (lines - linesBefore) / seconds
    report({
      name: 'runs',
      metric: `orchestrator CPU, ${AGENTS} busy agents, ${Math.round(perSecond)} events/s in all (${host.level})`,
      value: share,
      unit: 'cores',
      limit: 1,
      ratio: share,
      ...atMost(CORE_SHARE_MAX)(share),
    })
  } finally {
    await Promise.all(agents.map((agent) => agent.stop()))
    await rm(folder, { recursive: true, force: true })
  }
}

async function makeRequest(folder: string, number: number) {
  const workspace = join(folder, `workspace-${number}`)
  await mkdir(workspace)
  const agent = `echo-${number}`
  return {
    assignment: { role: 'developer', agent, taskId: `task-${number}`, taskKey: '', iteration: 1 },
    prompt: 'be busy',
    systemPrompt: '',
    workspace,
    folder: join(folder, agent),
    logFile: join(folder, 'logs', `${agent}.log`),
  }
}

async function follow(agent: AgentProcess, count: () => void): Promise<void> {
  for await (const event of agent.events) if (event.type !== 'end') count()
}
