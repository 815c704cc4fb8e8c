import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { withExamples } from '../../examples.ts'
import { defineCaseClaims } from './claims.ts'
import { defineCaseContents } from './contents.ts'
import { defineCaseMoves } from './moves.ts'
import { defineCaseQueries } from './queries.ts'
import { defineCaseSplit } from './split.ts'

export function define(command: Command, context: () => Context): void {
  defineCaseQueries(command, context)
  defineCaseContents(command, context)
  defineCaseSplit(command, context)
  defineCaseMoves(command, context)
  defineCaseClaims(command, context)
  withExamples(
    command,
    'axiom case create --type operation --content "Users can log in"',
    'axiom case create --type task --parent op-001 --content "Login form" --criterion "A wrong password is refused"',
    'axiom case ready',
    'axiom case claim task-001 --agent echo-001',
    'axiom case tree',
  )
}
