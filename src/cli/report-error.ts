import { CommanderError } from 'commander'
import { Failure, systemCode } from '../platform/failure.ts'
import { EXIT, type ExitCode, exitCodeFor } from './exit-code.ts'
import { jsonText } from './render/json-text.ts'
import { plain } from './render/plain-text.ts'
import type { Output } from './terminal.ts'

interface Described {
  readonly code: string
  readonly message: string
  readonly hint: string
}

/** Reports an error on standard error, as text or as JSON, and returns its exit code. */
export function reportError(error: unknown, json: boolean, stderr: Output): ExitCode {
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok
  const described = describe(error)
  const { code, message, hint } = described
  if (json) stderr.write(`${jsonText({ error: described })}\n`)
  else stderr.write(plain(`${code}: ${message}\n${hint === '' ? '' : `  ${hint}\n`}`))
  return exitCodeFor(code)
}

const FULL = 'the disk is full: free some space, then try again'
const DISK_HINTS: Readonly<Record<string, string>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: 'the file system is mounted read-only: work in a clone on another one',
}

function describe(error: unknown): Described {
  if (error instanceof CommanderError) return describeUsage(error)
  if (error instanceof Failure) return { code: error.code, message: error.message, hint: error.hint }
  const system = systemCode(error)
  if (error instanceof Error && /^E[A-Z0-9]+$/.test(system) && !system.startsWith('ERR_')) {
    return {
      code: `DISK_${system}`,
      message: error.message,
      hint: DISK_HINTS[system] ?? 'look at the permissions of that path and at the disk, then try again',
    }
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { code: 'BUG', message: text, hint: 'this is a defect of AXIOM; please report it' }
}

const USAGE_HINT = 'add --help for the usage and examples'

/** Commander joins the error and the allowed values into one text; here they are two. */
function describeUsage({ code, message }: CommanderError): Described {
  if (code === 'commander.help')
    return { code: 'USAGE', message: 'a subcommand is missing', hint: USAGE_HINT }
  const text = message.replace(/^error: /, '')
  const [, fault, allowed] = /^(.* is invalid[^.]*)\. (.*)$/s.exec(text) ?? []
  if (fault !== undefined && allowed !== undefined) return { code: 'USAGE', message: fault, hint: allowed }
  const [first = '', ...rest] = text.split('\n')
  const meant = rest.join(' ').replace(/^\((.*)\)$/, '$1')
  return { code: 'USAGE', message: first, hint: meant === '' ? USAGE_HINT : meant }
}
