import type { Decision, Occasion } from './change.ts'
import type { CaseCommand } from './command.ts'
import { decideClaim, decideRecover, decideRelease } from './decide/claims.ts'
import { decideCreate } from './decide/create.ts'
import { decideDelete } from './decide/delete.ts'
import { decideDepend, decideUndepend } from './decide/dependencies.ts'
import { decideComplete, decideMove, decideRestore } from './decide/status.ts'
import { decideTransition } from './decide/transition.ts'
import { decideUpdate } from './decide/update.ts'
import type { CaseView } from './view.ts'

/** The laws: the changes a command makes to the cases, or why it is refused. Changes nothing itself. */
export function decide(view: CaseView, command: SimpleCommand, occasion: Occasion): Decision {
  switch (command.kind) {
    case 'create':
      return decideCreate(view, command, occasion)
    case 'update':
      return decideUpdate(view, command, occasion)
    case 'move':
      return decideMove(view, command, occasion)
    case 'transition':
      return decideTransition(view, command, occasion)
    case 'claim':
      return decideClaim(view, command, occasion)
    case 'release':
      return decideRelease(view, command, occasion)
    case 'complete':
      return decideComplete(view, command, occasion)
    case 'depend':
      return decideDepend(view, command, occasion)
    case 'undepend':
      return decideUndepend(view, command, occasion)
    case 'delete':
      return decideDelete(view, command, occasion)
    case 'recover':
      return decideRecover(view, command, occasion)
    case 'restore':
      return decideRestore(view, command, occasion)
  }
}

/** A split is a batch of its own: its children may name each other (`execute.ts`). */
export type SimpleCommand = Exclude<CaseCommand, { kind: 'split' }>
