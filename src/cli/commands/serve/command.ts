import { type Command, InvalidArgumentError } from 'commander'
import { parseWhole, words } from '../../arguments.ts'
import type { Context } from '../../context.ts'
import { withExamples } from '../../examples.ts'
import type { ServeFlags } from './serve.ts'

const PORT_MAX = 65_535

export function define(command: Command, context: () => Context): void {
  command
    .option('--port <n>', 'exactly this port; without it the one of last time, else any free one', parsePort)
    .option('--no-open', 'do not open a browser')
    .option('--host <address>', 'listen at this address of the machine', words)
    .option('--allow-remote', 'let other machines reach it; needs a token in AXIOM_TOKEN')
    .option('--allow-unsandboxed', 'let agents run without a sandbox, if this machine has none')
    .action(async (flags: ServeFlags) => {
      const { serve } = await import('./serve.ts')
      await serve(context(), flags)
    })
  withExamples(command, 'axiom serve', 'axiom serve --port 4717 --no-open', 'axiom serve --json')
}

function parsePort(text: string): number {
  const port = parseWhole(text)
  if (port > PORT_MAX) throw new InvalidArgumentError(`a port is at most ${PORT_MAX}`)
  return port
}
