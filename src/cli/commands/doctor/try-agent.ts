import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgentHost, limitsOf } from '../../../agents/agent-host.ts'
import { simDriver, simTrial } from '../../../agents/drivers/sim.ts'
import type { Config } from '../../../config/schema.ts'
import type { Prerequisite, ProbeWorld } from '../../../planning/prerequisites/prerequisite.ts'
import { systemClock } from '../../../platform/clock.ts'
import { createGit } from '../../../platform/git/git.ts'
import type { SandboxLevel } from '../../../platform/sandbox/confinement.ts'
import type { SandboxReport } from '../../../platform/sandbox/sandbox-report.ts'

const NAME = 'agent start'
const TRIAL_MAX_MS = 30_000
const WORK = 'echo done > work.txt && git add work.txt && git commit --quiet --message work'

export interface AgentTrial {
  readonly world: ProbeWorld
  readonly sandbox: Config['sandbox']
  /** The folder of the built product. */
  readonly built: string
}

/** Starts the simulated agent as a run does, in a temporary project, and checks the result. */
export async function tryAgent(trial: AgentTrial, report: SandboxReport): Promise<Prerequisite> {
  // The sandbox probe failed at this level already; an agent at a weaker level would start and prove nothing.
  const broken = report.sandboxed ? undefined : report.tried.find((one) => one.agentError !== undefined)
  const level = broken?.level ?? report.level
  const trouble = broken?.agentError ?? (await troubleOf(trial, report))
  if (trouble === undefined) {
    const where = level === 'process-group' ? 'without a sandbox' : `inside ${level}`
    return { name: NAME, status: 'ok', found: `a simulated agent worked and committed ${where}` }
  }
  const found = `a simulated agent cannot work at level ${level}: ${trouble}`
  return { name: NAME, status: 'fail', code: 'SANDBOX_AGENT', found, fix: fixFor(trouble, level, trial) }
}

async function troubleOf(trial: AgentTrial, report: SandboxReport): Promise<string | undefined> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'axiom doctor-')))
  try {
    return await letWork(trial, report, folder)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function letWork(
  { world, sandbox, built }: AgentTrial,
  report: SandboxReport,
  folder: string,
): Promise<string | undefined> {
  const root = join(folder, 'project')
  const state = join(root, '.axiom')
  const workspace = join(root, '.workspaces/echo-001')
  const playbook = join(state, 'playbook.json')
  for (const path of [state, workspace]) await mkdir(path, { recursive: true })
  await writeFile(
    playbook,
    JSON.stringify({ entries: [{ steps: [{ do: 'run', command: WORK, mustPass: true }] }] }),
  )
  const git = createGit(world.env.PATH ?? '')
  await git.run({ cwd: workspace }, ['init', '--quiet', '--initial-branch=main'])
  // Each run makes its own proxy into a closed network, so the closed network is what is tried here.
  const network = sandbox.network === 'host' ? 'host' : 'none'
  const host = createAgentHost(
    {
      sandbox: { environment: world.env, home: world.env.HOME ?? homedir() },
      report,
      masked: [root, state, join(root, '.workspaces')],
      clock: systemClock,
    },
    { ...sandbox, network, limits: limitsOf(sandbox.limits) },
  )
  await using agent = await simDriver(host, { built }).start({
    assignment: { role: 'developer', agent: 'echo-001', taskId: 'task-001', taskKey: 'trial', iteration: 1 },
    prompt: 'Work.',
    systemPrompt: '',
    workspace,
    folder: join(state, 'private/echo-001'),
    logFile: join(state, 'logs/echo-001.log'),
    environment: { AXIOM_SIM_PLAYBOOK: playbook },
    readOnly: [playbook],
  })
  const timer = setTimeout(() => void agent.stop(), TRIAL_MAX_MS)
  for await (const _ of agent.events);
  clearTimeout(timer)
  const end = await agent.ended
  if (end.reason !== 'completed') return end.error?.message || `it ended as ${end.reason}`
  const settings = ['safe.directory=*']
  const { stdout } = await git.run({ cwd: workspace }, ['log', '-1', '--format=%s'], {
    settings,
    expect: [0, 128],
  })
  return stdout.toString('utf8').trim() === 'work' ? undefined : 'it ended well, and its commit is not there'
}

function fixFor(trouble: string, level: SandboxLevel, { sandbox, built }: AgentTrial): string {
  const named = [...sandbox.readOnly, ...sandbox.readWrite].find((path) => trouble.includes(path))
  if (named !== undefined) return `take ${named} out of it: axiom config get sandbox`
  if (/EACCES|ENOENT|permission denied|cannot find module/i.test(trouble))
    return existsSync(simTrial(built).program)
      ? `let every user read it: chmod -R go+rX ${built}`
      : 'npm run build in a checkout of AXIOM; elsewhere npm install --global axiom'
  return level === 'bwrap' ? 'axiom config set sandbox.level unshare' : 'sudo apt-get install bubblewrap'
}
