import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { defineCaseChanges } from './case/changes.ts'
import { defineCaseClaims } from './case/claims.ts'
import { defineCaseQueries } from './case/queries.ts'

export function define(command: Command, context: () => Context): void {
  defineCaseQueries(command, context)
  defineCaseChanges(command, context)
  defineCaseClaims(command, context)
  command.addHelpText(
    'after',
    `
Examples:
  axiom case create --type operation --content "Users can log in"
  axiom case create --type task --parent op-001 --content "Login form" --criterion "Wrong password is refused"
  axiom case ready
  axiom case claim task-001 --agent echo-001
  axiom case tree`,
  )
}
