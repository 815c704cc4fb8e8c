import { createColors } from 'picocolors'
import type { ExitCode } from './exit-code.ts'

export type Colors = ReturnType<typeof createColors>

/** What a command knows of the outside: its streams, its environment, and the options that every command has. */
export interface Context {
  readonly cwd: string
  readonly json: boolean
  /** False when nobody can answer a question: no terminal, a CI environment, or `--non-interactive`. */
  readonly interactive: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly colors: Colors
  readonly stdin: NodeJS.ReadStream
  /** Data, and nothing else. */
  out(text: string): void
  /** Messages for a person. */
  err(text: string): void
  exit(code: ExitCode): void
}

export interface GlobalOptions {
  json?: boolean
  cwd?: string
  nonInteractive?: boolean
}

export function createContext(options: GlobalOptions, cwd: string, exit: (code: ExitCode) => void): Context {
  const { env, stdin, stdout, stderr } = process
  const colored = !env.NO_COLOR && (stdout.isTTY === true || env.FORCE_COLOR === '1') && !options.json
  return {
    cwd,
    json: options.json === true,
    interactive:
      stdin.isTTY === true && !env.CI && !env.AXIOM_NON_INTERACTIVE && options.nonInteractive !== true,
    env,
    colors: createColors(colored),
    stdin,
    out: (text) => stdout.write(`${text}\n`),
    err: (text) => stderr.write(`${text}\n`),
    exit,
  }
}

/** Prints one value as JSON, or as the text made for people. */
export function print(context: Context, value: unknown, forPeople: () => string): void {
  context.out(context.json ? JSON.stringify(value) : forPeople())
}
