import { resolve } from 'node:path'
import { runCommand } from '../../src/platform/process/run-command.ts'

const program = resolve(import.meta.dirname, '../../bin/axiom.js')
const TIMEOUT_MS = 60_000

export interface Ran {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Starts the built program as a script would: no terminal, and only the given variables besides the usual ones. */
export async function runAxiom(
  cwd: string,
  args: readonly string[],
  options: { env?: Record<string, string>; timeoutMs?: number; axiom?: string } = {},
): Promise<Ran> {
  const { env = {}, timeoutMs = TIMEOUT_MS, axiom = program } = options
  const { HOME, PATH } = process.env
  const result = await runCommand({
    argv: [process.execPath, axiom, ...args],
    cwd,
    env: { HOME, PATH, NO_COLOR: '1', ...env },
    timeoutMs,
  })
  const exitCode = result.ending.kind === 'exited' ? result.ending.exitCode : -1
  return { exitCode, stdout: result.stdout, stderr: result.stderr }
}
