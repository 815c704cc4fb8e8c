import type { Command } from 'commander'
import type { Context } from './context.ts'

/** A command module adds its arguments, options, examples and action to the command it is given. */
export interface CommandModule {
  define(command: Command, context: () => Context): void
}

export interface CommandEntry {
  readonly name: string
  readonly summary: string
  /** Loaded only when this command is the one that was typed: start-up time is spent on what is used. */
  load(): Promise<CommandModule>
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'config',
    summary: 'read and change the configuration, and see where a value comes from',
    load: () => import('./commands/config.ts'),
  },
]
