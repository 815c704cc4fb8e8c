// Starts one agent that forks and stays, prints the record of its tree, and waits to be killed: LEVEL FOLDER
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { commandDriver } from '../../../src/agents/drivers/command.ts'
import { DEFAULT_LIMITS, type SandboxLevel } from '../../../src/platform/sandbox/confinement.ts'

const [level, folder] = process.argv.slice(2)
const workspace = `${folder}/workspace`
mkdirSync(workspace)
const script = `setsid sh -c 'while :; do sleep 1; done' $0 & echo up; while :; do sleep 1; done`
const driver = commandDriver(
  {
    sandbox: { environment: process.env, home: homedir() },
    level: level as SandboxLevel,
    masked: [],
    readOnly: [],
    readWrite: [],
    network: { kind: 'host' },
    limits: DEFAULT_LIMITS,
    secrets: [],
    stopGraceMs: 500,
    now: () => Date.now(),
  },
  { command: ['sh', '-c', script, process.env.WORD ?? ''], folder: workspace },
)
const agent = await driver.start({
  assignment: { role: 'developer', agent: 'echo-001', taskId: 'task-001', taskKey: '', iteration: 1 },
  prompt: '',
  systemPrompt: '',
  workspace,
  folder: `${folder}/agent`,
  logFile: `${folder}/agent.log`,
})
for await (const event of agent.events)
  if (event.type === 'speech') process.stdout.write(`${JSON.stringify(agent.tree)}\n`)
