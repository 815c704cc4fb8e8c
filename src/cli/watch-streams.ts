import { systemCode } from '../platform/failure.ts'
import { reportError } from './report-error.ts'

/**
 * A closed pipe (`axiom case list | head -1`) is no error: the remaining output is dropped, and the command
 * ends as it would have. Any other failure to write is an error.
 */
export function watchStreams(json: boolean): void {
  process.stdout.on('error', (error) => {
    if (systemCode(error) !== 'EPIPE') process.exitCode = reportError(error, json, process.stderr)
  })
  // A failure of stderr cannot be reported anywhere.
  process.stderr.on('error', () => undefined)
}
