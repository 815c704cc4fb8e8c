import type { Command } from 'commander'

/** Every help ends with command lines that can be copied. */
export function withExamples(command: Command, ...lines: readonly string[]): Command {
  const title = lines.length > 1 ? 'Examples' : 'Example'
  return command.addHelpText('after', `\n${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`)
}
