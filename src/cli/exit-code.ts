/** The process exit codes that scripts rely on. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  configuration: 3,
  environment: 4,
  personNeeded: 5,
  partly: 6,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Prefixes of error codes whose cause is not the work itself. */
const BY_PREFIX: readonly (readonly [string, ExitCode])[] = [
  ['USAGE', EXIT.usage],
  ['CONFIG_', EXIT.configuration],
  ['GIT_UNSAFE_NAME', EXIT.configuration],
  ['PREREQ_', EXIT.environment],
  ['STORE_', EXIT.environment],
  ['DISK_', EXIT.environment],
  ['CHECKOUT_', EXIT.environment],
  ['SANDBOX_', EXIT.environment],
  ['DIRECTOR_', EXIT.environment],
  ['TARGET_RED', EXIT.personNeeded],
  ['PLAN_UNCONFIRMED', EXIT.personNeeded],
  ['ROLLBACK_UNCONFIRMED', EXIT.personNeeded],
  ['INTERRUPTED', EXIT.interrupted],
]

export function exitCodeFor(code: string): ExitCode {
  return BY_PREFIX.find(([prefix]) => code.startsWith(prefix))?.[1] ?? EXIT.failed
}
