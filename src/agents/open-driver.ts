import { resolve } from 'node:path'
import { systemClock } from '../platform/clock.ts'
import { Failure } from '../platform/failure.ts'
import { findProgram } from '../platform/sandbox/mount-plan.ts'
import type { AgentHost } from './agent-run.ts'
import type { AgentChoice } from './choose-driver.ts'
import { findCredentials, NO_CREDENTIALS } from './credentials.ts'
import type { Driver } from './driver.ts'
import { acpDriver } from './drivers/acp.ts'
import { type AcpProfile, acpProfile, GEMINI, OPENCODE } from './drivers/acp-profile.ts'
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

const PROFILES: Readonly<Record<string, AcpProfile>> = { gemini: GEMINI, opencode: OPENCODE }

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

async function openUnlimited(host: AgentHost, choice: AgentChoice, places: DriverPlaces): Promise<Driver> {
  const { driver, command = [] } = choice
  const model = choice.model === undefined ? {} : { model: choice.model }
  const credentials = await findCredentials(driver, host.sandbox.environment, host.sandbox.home)
  switch (driver) {
    case 'sim':
      return simDriver(host, { built: places.built })
    case 'command':
      return commandDriver(host, { command, folder: places.folder })
    case 'claude':
      return claudeDriver(host, { program: programIn(choice, places.folder), credentials, ...model })
    case 'codex':
      return codexDriver(host, { program: programIn(choice, places.folder), credentials, ...model })
    case 'acp':
      return acpDriver(host, { profile: acpProfile('acp', command), credentials: NO_CREDENTIALS, ...model })
    default: {
      const profile = PROFILES[driver]
      if (profile) return acpDriver(host, { profile, credentials, ...model })
      throw new Failure('AGENT_DRIVER_UNKNOWN', `There is no driver "${driver}".`, {
        hint: 'Use claude, codex, gemini, opencode, acp, command or sim.',
      })
    }
  }
}

/** What a choice starts: the program that is configured for it, or the one that its driver is named after. */
function programOf({ driver, command }: AgentChoice): string {
  return PROFILES[driver]?.program ?? command?.[0] ?? driver
}

/** A path is meant from the project, where it was configured; agents start in their workspaces. */
function programIn(choice: AgentChoice, folder: string): string {
  const program = programOf(choice)
  return program.includes('/') ? resolve(folder, program) : program
}

/** Whether the program of a choice is on this machine. */
export async function isInstalled(choice: AgentChoice, path: string, folder: string): Promise<boolean> {
  if (choice.driver === 'sim') return true
  return (await findProgram(programOf(choice), path, folder)) !== undefined
}
