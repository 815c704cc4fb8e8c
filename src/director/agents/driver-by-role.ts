import { requireSandbox } from '../../agents/agent-host.ts'
import type { AgentHost } from '../../agents/agent-run.ts'
import { type AgentsSettings, candidatesFor, chooseDriver, wantedChoice } from '../../agents/choose-driver.ts'
import type { Driver } from '../../agents/driver.ts'
import { type DriverPlaces, isInstalled, openDriver } from '../../agents/open-driver.ts'
import type { Config } from '../../config/schema.ts'
import { Failure } from '../../platform/failure.ts'
import type { SandboxReport } from '../../platform/sandbox/sandbox-report.ts'
import { ROLES } from '../../signals/definition.ts'
import { ROLE_TRAITS } from '../../signals/role-traits.ts'

export interface DriverGround {
  readonly host: AgentHost
  readonly report: SandboxReport
  readonly agents: Config['agents']
  readonly places: DriverPlaces
  readonly searchPath: string
  readonly allowUnsandboxed: boolean
}

const NEEDED = ROLES.filter((role) => ROLE_TRAITS[role].servesEveryTask)

/** One driver for all roles: each request goes to the program that is configured for its role. */
export async function openDriverByRole(ground: DriverGround): Promise<Driver> {
  const opened = new Map<string, Promise<Driver>>()
  const forRole = (role: string): Promise<Driver> => {
    const known = opened.get(role)
    if (known !== undefined) return known
    const opening = openForRole(ground, role)
    opened.set(role, opening)
    return opening
  }
  const [developer] = await Promise.all(NEEDED.map(forRole))
  return {
    name: developer?.name ?? 'none',
    abilities: developer?.abilities ?? { send: false, redirect: false, resume: false, permissions: false },
    start: async (request) => (await forRole(request.assignment.role)).start(request),
    resume: async (session, request) => (await forRole(request.assignment.role)).resume(session, request),
  }
}

async function openForRole(ground: DriverGround, role: string): Promise<Driver> {
  const settings = settingsOf(ground.agents)
  const installed = await installedAmong(ground, settings, role)
  const decision = chooseDriver(settings, role, {}, (driver) => ({
    kind: installed.has(driver) ? 'ready' : 'missing',
  }))
  if (decision.kind !== 'chosen') {
    const missing = decision.kind === 'none' ? decision.missing.join(', ') : 'every one of them'
    throw new Failure('PREREQ_NO_AGENT', `no agent for the role ${role} is installed: ${missing}`, {
      hint: '"axiom doctor" tells how to install one; simulated agents need none: axiom config set agents.driver sim',
    })
  }
  const { choice } = decision
  requireSandbox(ground.report, choice.driver, ground.allowUnsandboxed)
  return openDriver(ground.host, choice, ground.places)
}

/** The drivers expect unset options to be absent, not undefined. */
function settingsOf({ driver, command, model, roles, fallback }: Config['agents']): AgentsSettings {
  const settings = { driver, ...(command.length > 0 ? { command } : {}), model, roles, fallback }
  return JSON.parse(JSON.stringify(settings)) as AgentsSettings
}

async function installedAmong(
  { searchPath, places }: DriverGround,
  settings: AgentsSettings,
  role: string,
): Promise<Set<string>> {
  const wanted = wantedChoice(settings, role)
  const found = new Set<string>()
  for (const { command, ...bare } of candidatesFor(settings, wanted)) {
    // `auto` finds programs by their own names; it is unknown which of them a configured command would be.
    const isNamed = command !== undefined && wanted.driver !== 'auto'
    const choice = isNamed ? { ...bare, command } : bare
    if (await isInstalled(choice, searchPath, places.folder)) found.add(bare.driver)
  }
  return found
}
