import type { Command } from 'commander'
import { Failure } from '../../../platform/failure.ts'
import type { Context } from '../../context.ts'
import { withExamples } from '../../examples.ts'
import { withStore } from '../../project.ts'
import { watchAsJson, watchOnScreen } from './watch-project.ts'

export function define(command: Command, context: () => Context): void {
  command.action(() => watch(context()))
  withExamples(command, 'axiom watch', 'axiom watch --json')
}

function watch(context: Context): Promise<void> {
  const { screen } = context
  if (!context.json && screen === undefined) {
    throw new Failure('USAGE_NO_SCREEN', 'watch draws on a terminal, and the output is none', {
      hint: '"axiom status" prints one picture; "axiom watch --json" prints one line per change',
    })
  }
  return withStore(context, 'watch', async (store, project) => {
    if (screen !== undefined && !context.json) return watchOnScreen(context, screen, store, project)
    const stop = new AbortController()
    const end = (): void => stop.abort()
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end)
    // The reader of a pipe may close it at any time.
    process.stdout.once('error', end)
    await watchAsJson(context, store, stop.signal)
  })
}
