import type { ConfigProblem } from './drop-wrong-values.ts'
import type { Config } from './schema.ts'

/** Values that are valid alone but contradict each other. They are kept and reported. */
export function checkConsistency(config: Config): ConfigProblem[] {
  const { agents, disk, quietHours, sandbox, verification } = config
  const problems: ConfigProblem[] = []
  const tell = (key: string, message: string): void => {
    problems.push({ code: 'CONFIG_SCHEMA_ERROR', key, message })
  }
  const needsProgram = (driver: string | undefined): boolean => driver === 'command' || driver === 'acp'
  if (needsProgram(agents.driver) && agents.command.length === 0) {
    tell('agents.command', `agents.driver is ${agents.driver}, which needs a program in agents.command`)
  }
  const isForRoles = Object.values(agents.roles).some(({ driver }) => needsProgram(driver))
  if (agents.driver === 'auto' && agents.command.length > 0 && !isForRoles) {
    tell(
      'agents.command',
      'agents.command names a program and agents.driver is auto, which finds programs by their own names; set agents.driver to what the program is',
    )
  }
  for (const [role, choice] of Object.entries(agents.roles)) {
    if (needsProgram(choice.driver) && (choice.command ?? agents.command).length === 0) {
      tell(
        `agents.roles.${role}.command`,
        `the driver ${choice.driver} of ${role} needs a program in command`,
      )
    }
  }
  if (sandbox.network === 'proxy' && sandbox.allow.length === 0) {
    tell(
      'sandbox.allow',
      'sandbox.network is proxy and sandbox.allow is empty, so agents reach no host at all',
    )
  }
  if (disk.stopMegabytes > disk.pauseMegabytes || disk.pauseMegabytes > disk.warnMegabytes) {
    tell('disk', 'the limits must fall from warnMegabytes over pauseMegabytes to stopMegabytes')
  }
  if ((quietHours.from === undefined) !== (quietHours.to === undefined)) {
    tell('quietHours', 'quiet hours need both from and to; they are off')
  }
  const names = verification.map(({ name }) => name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) tell('verification', `two checks are named "${twice}"; give each its own name`)
  return problems
}
