import type { RunInSandbox } from '../platform/process/run-line.ts'
import { Redactor } from './redaction.ts'

/** Checks and set-up commands may print secrets, and their output goes into evidence and prompts. */
export function redactOutput(run: RunInSandbox, secrets: readonly string[]): RunInSandbox {
  const redactor = new Redactor(secrets)
  return async (request) => {
    const result = await run(request)
    return { ...result, stdout: redactor.redact(result.stdout), stderr: redactor.redact(result.stderr) }
  }
}
