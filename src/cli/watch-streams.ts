import { systemCode } from '../platform/failure.ts'
import { reportError } from './report-error.ts'

/**
 * A reader that has seen enough (`axiom case list | head -1`) is no error: what is still to be printed is dropped,
 * and the command ends as it would have. An output that cannot be written is one.
 */
export function watchStreams(json: boolean): void {
  process.stdout.on('error', (error) => {
    if (systemCode(error) !== 'EPIPE') process.exitCode = reportError(error, json, process.stderr)
  })
  // Nobody is left to be told.
  process.stderr.on('error', () => undefined)
}
