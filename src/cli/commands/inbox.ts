import type { Command } from 'commander'
import { foldInbox } from '../../events/inbox.ts'
import { type Context, print } from '../context.ts'
import { withExamples } from '../examples.ts'
import { withStore } from '../project.ts'
import { inboxText } from '../render/inbox-text.ts'

export function define(command: Command, context: () => Context): void {
  command.action(() => inbox(context()))
  withExamples(command, 'axiom inbox', 'axiom inbox --json')
}

function inbox(context: Context): Promise<void> {
  return withStore(context, 'inbox', async (store) => {
    const entries = foldInbox(await store.query({}))
    print(context, entries, () => inboxText(context.colors, entries))
  })
}
