// Reads one flooding agent with the built code and prints what it cost: DRIVER LEVEL FOLDER SCRIPT
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { claudeDriver } from '../../../dist/agents/drivers/claude.js'
import { commandDriver } from '../../../dist/agents/drivers/command.js'
import { DEFAULT_LIMITS } from '../../../dist/platform/sandbox/confinement.js'

const [name, level, folder, script] = process.argv.slice(2)
const workspace = `${folder}/workspace`
mkdirSync(workspace)
const host = {
  sandbox: { environment: process.env, home: homedir() },
  level,
  masked: [],
  readOnly: [],
  readWrite: [],
  network: { kind: 'host' },
  limits: DEFAULT_LIMITS,
  secrets: ['a secret that is looked for all the time'],
  stopGraceMs: 500,
  now: () => Date.now(),
}
const credentials = { environment: {}, files: {}, secrets: [] }
const driver =
  name === 'command'
    ? commandDriver(host, { command: ['sh', '-c', script], folder: workspace })
    : claudeDriver(host, { program: script, credentials })

const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
let peakBytes = 0
// Of a lag only what this process worked meanwhile is its own; the rest it waited for a processor.
let ownMaxMs = 0
let before = process.cpuUsage()
const timer = setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
  const { user, system } = process.cpuUsage(before)
  before = process.cpuUsage()
  ownMaxMs = Math.max(ownMaxMs, (user + system) / 1_000)
}, 20)
const begun = performance.now()
const agent = await driver.start({
  assignment: { role: 'developer', agent: 'echo-001', taskId: 'task-001', taskKey: '', iteration: 1 },
  prompt: '',
  systemPrompt: '',
  workspace,
  folder: `${folder}/agent`,
  logFile: `${folder}/logs/agent.log`,
})
let characters = 0
const problems = {}
let end
for await (const event of agent.events) {
  if (event.type === 'speech') characters += event.text.length
  if (event.type === 'problem') problems[event.code] = (problems[event.code] ?? 0) + 1
  if (event.type === 'end') end = event
}
clearInterval(timer)
const seconds = (performance.now() - begun) / 1_000
const lag = { lagMs: delay.percentile(99.9) / 1e6, lagMaxMs: delay.max / 1e6, ownMaxMs }
const report = { end, characters, problems, seconds, peakMegabytes: peakBytes / 1e6, ...lag }
process.stdout.write(JSON.stringify(report))
