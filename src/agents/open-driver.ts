import { resolve } from 'node:path'
import { agentProgram } from '../config/agent-programs.ts'
import type { DriverName } from '../config/work-options.ts'
import { systemClock } from '../platform/clock.ts'
import { Failure } from '../platform/failure.ts'
import { findProgram } from '../platform/sandbox/mount-plan.ts'
import type { AgentHost } from './agent-run.ts'
import type { AgentChoice } from './choose-driver.ts'
import { type Credentials, findCredentials, NO_CREDENTIALS } from './credentials.ts'
import type { Driver } from './driver.ts'
import { acpDriver } from './drivers/acp.ts'
import { acpProfile, GEMINI, OPENCODE } from './drivers/acp-profile.ts'
import { claudeDriver } from './drivers/claude.ts'
import { codexDriver } from './drivers/codex.ts'
import { commandDriver } from './drivers/command.ts'
import { simDriver } from './drivers/sim.ts'
import { limitDriver } from './limit-driver.ts'

export interface DriverPlaces {
  /** The project's folder, where a relative command is looked for. */
  readonly folder: string
  /** The folder of the built product, which holds the simulated agent. */
  readonly built: string
}

/** The driver that a choice names, with the credentials its user has. */
export async function openDriver(
  host: AgentHost,
  choice: AgentChoice,
  places: DriverPlaces,
): Promise<Driver> {
  const driver = await openUnlimited(host, choice, places)
  const isBehindProvider = driver.name !== 'sim' && driver.name !== 'command'
  if (!host.limiter || !isBehindProvider) return driver
  const { sleepUntil = systemClock.sleepUntil } = host
  return limitDriver(driver, host.limiter, { now: () => host.now(), sleepUntil })
}

interface Opening {
  readonly host: AgentHost
  readonly choice: AgentChoice
  readonly places: DriverPlaces
  readonly credentials: Credentials
  readonly model: { readonly model?: string }
}

/** One line for each driver; the compiler names one that is missing. */
const OPENERS: Readonly<Record<Exclude<DriverName, 'auto'>, (opening: Opening) => Driver>> = {
  claude: (opening) => claudeDriver(opening.host, ownProgram(opening)),
  codex: (opening) => codexDriver(opening.host, ownProgram(opening)),
  gemini: (opening) => acpDriver(opening.host, { profile: GEMINI, ...identity(opening) }),
  opencode: (opening) => acpDriver(opening.host, { profile: OPENCODE, ...identity(opening) }),
  acp: ({ host, choice: { command = [] }, model }) =>
    acpDriver(host, { profile: acpProfile('acp', command), credentials: NO_CREDENTIALS, ...model }),
  command: ({ host, choice: { command = [] }, places: { folder } }) =>
    commandDriver(host, { command, folder }),
  sim: ({ host, places: { built } }) => simDriver(host, { built }),
}

async function openUnlimited(host: AgentHost, choice: AgentChoice, places: DriverPlaces): Promise<Driver> {
  const { driver } = choice
  if (!Object.hasOwn(OPENERS, driver)) {
    const names = Object.keys(OPENERS).join(', ')
    throw new Failure('AGENT_DRIVER_UNKNOWN', `There is no driver "${driver}".`, {
      hint: `Use one of ${names}.`,
    })
  }
  const model = choice.model === undefined ? {} : { model: choice.model }
  const credentials = await findCredentials(driver, host.sandbox.environment, host.sandbox.home)
  return OPENERS[driver as keyof typeof OPENERS]({ host, choice, places, credentials, model })
}

function identity({ credentials, model }: Opening) {
  return { credentials, ...model }
}

function ownProgram(opening: Opening) {
  const { choice, places } = opening
  return { program: programIn(choice, places.folder), ...identity(opening) }
}

/** The program of a choice: the configured one, or the one that its driver is named after. */
function programOf({ driver, command }: AgentChoice): string {
  const isFixed = agentProgram(driver)?.isReplaceable === false
  return (isFixed ? undefined : command?.[0]) ?? driver
}

/** A relative path starts at the project, where it was configured; agents start in their workspaces. */
function programIn(choice: AgentChoice, folder: string): string {
  const program = programOf(choice)
  return program.includes('/') ? resolve(folder, program) : program
}

/** Whether the program of a choice is on this machine. */
export async function isInstalled(choice: AgentChoice, path: string, folder: string): Promise<boolean> {
  if (choice.driver === 'sim') return true
  return (await findProgram(programOf(choice), path, folder)) !== undefined
}
