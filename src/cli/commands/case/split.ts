import type { Command } from 'commander'
import { words } from '../../arguments.ts'
import { type Context, print } from '../../context.ts'
import { withExamples } from '../../examples.ts'
import { withStore } from '../../project.ts'
import { readInput } from '../../read-input.ts'
import { caseJson } from '../../render/case-json.ts'
import { caseLine } from '../../render/case-text.ts'
import { commit } from './commit.ts'

export function defineCaseSplit(command: Command, context: () => Context): void {
  const splitting = command
    .command('split <id>')
    .description('give a case children: all that a file names, or none')
    .requiredOption(
      '--from <file>',
      'JSON (- for standard input): [{"type", "content", "key"?, "dependsOn"?, "acceptanceCriteria"?, "tags"?, "metadata"?}, …]',
    )
    .option('--reason <text>', 'why', words, 'split')
    .action((id: string, { from, reason }: { from: string; reason: string }) =>
      split(context(), id, from, reason),
    )
  withExamples(
    splitting,
    'axiom case split op-001 --from tasks.json',
    `echo '[{"type":"task","key":"a","content":"A"},{"type":"task","content":"B","dependsOn":["a"]}]' | axiom case split op-001 --from -`,
  )
}

async function split(context: Context, id: string, file: string, reason: string): Promise<void> {
  const text = await readInput(context, file)
  const { parseSplit } = await import('./split-file.ts')
  const children = parseSplit(text)
  return withStore(context, 'case split', async (store) => {
    const { created } = await commit(store, [{ kind: 'split', id, children, reason }])
    const records = await store.query({ ids: created })
    print(
      context,
      records.map((record) => caseJson(record)),
      () => records.map((record) => caseLine(context.colors, record)).join('\n'),
    )
  })
}
