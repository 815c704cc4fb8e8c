import { createColors } from 'picocolors'
import type { ExitCode } from './exit-code.ts'
import { jsonText } from './render/json-text.ts'
import { plain, plainButColours } from './render/plain-text.ts'
import type { Output, Terminal } from './terminal.ts'

export type Colors = ReturnType<typeof createColors>

/** The environment of a command: its streams, its variables, and the options that every command has. */
export interface Context {
  readonly cwd: string
  readonly json: boolean
  /** False when no question can be answered: no terminal, a CI environment, or `--non-interactive`. */
  readonly interactive: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly colors: Colors
  readonly stdin: NodeJS.ReadStream
  /** The terminal itself, for a display that is redrawn; absent where the output goes elsewhere. */
  readonly screen: Output | undefined
  /** Data, and nothing else. */
  out(text: string): void
  /** Messages for a person. */
  err(text: string): void
  /** A warning, which does not stop the command. */
  warn(warning: { readonly code: string; readonly message: string; readonly hint: string }): void
  exit(code: ExitCode): void
}

export interface GlobalOptions {
  json?: boolean
  cwd?: string
  nonInteractive?: boolean
}

export function createContext(
  options: GlobalOptions,
  terminal: Terminal,
  cwd: string,
  exit: (code: ExitCode) => void,
): Context {
  const { env, stdout, stderr } = terminal
  const json = options.json === true
  return {
    cwd,
    json,
    get interactive() {
      if (env.CI || env.AXIOM_NON_INTERACTIVE || options.nonInteractive === true) return false
      return terminal.stdin.isTTY === true
    },
    env,
    colors: createColors(!json && wantsColors(env, stdout.isTTY === true)),
    get stdin() {
      return terminal.stdin
    },
    screen: stdout.isTTY === true && env.TERM !== 'dumb' ? stdout : undefined,
    out: (text) => stdout.write(`${stdout.isTTY ? plainButColours(text) : text}\n`),
    err: (text) => stderr.write(`${stderr.isTTY ? plainButColours(text) : text}\n`),
    warn: (warning) => {
      const { message, hint } = warning
      stderr.write(json ? `${jsonText({ warning })}\n` : plain(`warning: ${message}\n  ${hint}\n`))
    },
    exit,
  }
}

/** `NO_COLOR` wins over everything, `FORCE_COLOR` over what the terminal is. */
function wantsColors(env: Context['env'], isTerminal: boolean): boolean {
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return env.FORCE_COLOR !== '0'
  return isTerminal && env.TERM !== 'dumb'
}

/** Prints one value as JSON, or as the text made for people. */
export function print(context: Context, value: unknown, forPeople: () => string): void {
  context.out(context.json ? jsonText(value) : forPeople())
}
