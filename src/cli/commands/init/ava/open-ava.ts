import { homedir } from 'node:os'
import { createAgentHost, requireSandbox } from '../../../../agents/agent-host.ts'
import type { AgentHost } from '../../../../agents/agent-run.ts'
import { type AgentChoice, wantedChoice } from '../../../../agents/choose-driver.ts'
import type { AgentRequest, Driver } from '../../../../agents/driver.ts'
import { simTrial } from '../../../../agents/drivers/sim.ts'
import { isInstalled, openDriver } from '../../../../agents/open-driver.ts'
import { AGENT_PROGRAM_NAMES } from '../../../../config/agent-programs.ts'
import type { Config } from '../../../../config/schema.ts'
import { systemClock } from '../../../../platform/clock.ts'
import { Failure } from '../../../../platform/failure.ts'
import { probeOnce } from '../../../../platform/sandbox/probe-once.ts'
import type { SandboxReport } from '../../../../platform/sandbox/sandbox-report.ts'
import type { Vocabulary } from '../../../../vocabulary/vocabulary.ts'
import { BUILT } from '../../../built.ts'
import { objectsOf } from '../open-walls.ts'
import type { Start } from '../start.ts'

export const AVA_DRIVERS = [...AGENT_PROGRAM_NAMES, 'sim', 'command'] as const

/** The program that plays Ava, and its sandbox. */
export interface OpenedAva {
  readonly driver: Driver
  readonly host: AgentHost
  readonly report: SandboxReport
  /** The parts that all requests to Ava share. */
  readonly standing: Pick<AgentRequest, 'environment' | 'readOnly' | 'model'>
}

/** Finds the program and the sandbox before anything starts; a missing one is thrown with its code. */
export async function openAva(start: Start, name: string, config: Config): Promise<OpenedAva> {
  const { context, options, repository, vocabulary } = start
  if (!options.prove) {
    throw new Failure('USAGE', '--agent and --no-prove exclude each other', {
      hint: 'nothing that an agent proposes is written unproven; leave one of them away',
    })
  }
  const choice = choiceFor(config.agents, name)
  const folder = repository.root
  if (!(await isInstalled(choice, context.env.PATH ?? '', folder))) {
    throw new Failure('PREREQ_NO_AGENT', `the program of --agent ${name} is not installed`, {
      hint: 'axiom doctor tells how to install it; without --agent the rules do the work',
    })
  }
  const sandbox = { environment: context.env, home: context.env.HOME ?? homedir() }
  const network = { kind: config.sandbox.network === 'host' ? 'host' : 'none' } as const
  const trial = { level: config.sandbox.level, network, agent: simTrial(BUILT) }
  const report = await probeOnce(sandbox, trial)
  requireSandbox(report, name, options.allowUnsandboxed === true)
  const objects = await objectsOf(start)
  const masked = [repository.root]
  const facts = { sandbox, report, masked, clock: systemClock }
  const host = createAgentHost(facts, { ...config.sandbox, limits: {} })
  const driver = await openDriver(host, choice, { folder, built: BUILT })
  const sim = name === 'sim' ? simEnvironment(context.env, vocabulary) : {}
  const playbook = sim.AXIOM_SIM_PLAYBOOK
  return {
    driver,
    host,
    report,
    standing: {
      environment: sim,
      readOnly: [...objects, ...(playbook === undefined ? [] : [playbook])],
      ...(choice.model === undefined ? {} : { model: choice.model }),
    },
  }
}

/** The flag names the driver; the rest of what is configured for it, or for the role, still holds. */
function choiceFor(agents: Config['agents'], driver: string): AgentChoice {
  const settings = {
    driver: agents.driver,
    command: agents.command,
    ...(agents.model === undefined ? {} : { model: agents.model }),
    roles: definedOnly(agents.roles),
  }
  const usual = wantedChoice(settings, 'onboarding')
  const choice =
    usual.driver === 'auto' ? { ...usual, driver } : wantedChoice(settings, 'onboarding', { driver })
  const command = choice.command ?? []
  if (driver === 'command' && command.length === 0) {
    throw new Failure('USAGE', '--agent command needs a program', {
      hint: `AXIOM_AGENTS_COMMAND='["node", "agent.mjs"]' axiom init --agent command`,
    })
  }
  const { command: _command, ...others } = choice
  // With `auto`, the configured command may belong to another driver.
  const isItsOwn = command.length > 0 && (driver === 'command' || usual.driver !== 'auto')
  return isItsOwn ? { ...others, command } : others
}

/** Options that are absent rather than undefined, as the drivers want them. */
function definedOnly(roles: Config['agents']['roles']): Record<string, Partial<AgentChoice>> {
  return JSON.parse(JSON.stringify(roles)) as Record<string, Partial<AgentChoice>>
}

const SIM_VARIABLES = ['AXIOM_SIM_PLAYBOOK', 'AXIOM_SIM_SEED', 'AXIOM_SIM_PACE_MS']

function simEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  { signals }: Vocabulary,
): Record<string, string> {
  const given = SIM_VARIABLES.flatMap((name) => (env[name] ? [[name, env[name]]] : []))
  const names = Object.entries(signals.names).map((pair) => pair.join('='))
  return {
    ...(Object.fromEntries(given) as Record<string, string>),
    AXIOM_SIM_TAG: signals.tag,
    ...(names.length > 0 ? { AXIOM_SIM_NAMES: names.join(',') } : {}),
  }
}
