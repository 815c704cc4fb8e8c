import type { CommandResult } from '../platform/process/run-command.ts'
import type { RunInSandbox } from '../platform/process/run-line.ts'
import { UNATTENDED } from '../platform/process/unattended.ts'
import { type CopyOutcome, type CopyRequest, copyListedFiles } from './copy-listed-files.ts'
import { dependencyKey, isInstallCommand, keepDependencies, restoreDependencies } from './dependency-cache.ts'
import type { SlotVariables } from './slot-variables.ts'

export interface SetUpRequest {
  readonly checkout: string
  readonly commands: readonly string[]
  readonly copy: CopyRequest
  readonly slot: SlotVariables
  readonly timeoutMs: number
  readonly cache: {
    readonly folder: string
    /** Operating system, processor and similar properties that installed packages depend on. */
    readonly machine: string
    /**
     * Whether the result may be cached. Only where nothing but the target's own code ran: files that a
     * candidate's scripts put into the folders would affect the checks of all later candidates.
     */
    readonly fill: boolean
  }
  readonly run: RunInSandbox
}

export type SetUp =
  | { readonly kind: 'ready'; readonly copied: CopyOutcome; readonly fromCache: boolean }
  | { readonly kind: 'failed'; readonly command: string; readonly result: CommandResult }

/**
 * Prepares a fresh checkout for agents and checks: files, installed packages, then the other commands, in
 * order.
 */
export async function setUpCheckout(request: SetUpRequest): Promise<SetUp> {
  const { checkout, commands, cache, slot } = request
  const copied = await copyListedFiles(checkout, request.copy)
  const installs = commands.filter(isInstallCommand)
  const key = installs.length === 0 ? undefined : await dependencyKey(checkout, installs, cache.machine)
  const fromCache = key !== undefined && (await restoreDependencies(cache.folder, key, checkout))
  for (const command of commands) {
    if (fromCache && isInstallCommand(command)) continue
    const result = await request.run({
      line: slot.fill(command),
      cwd: checkout,
      environment: { ...UNATTENDED, ...slot.environment },
      timeoutMs: request.timeoutMs,
    })
    if (result.ending.kind !== 'exited' || result.ending.exitCode !== 0)
      return { kind: 'failed', command, result }
  }
  if (key !== undefined && !fromCache && cache.fill) await keepDependencies(cache.folder, key, checkout)
  return { kind: 'ready', copied, fromCache }
}
