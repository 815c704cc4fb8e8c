import { formatId } from '../../cases/ids.ts'
import type { Words } from '../words.ts'

export function writeCommitFormat({ vocabulary, nouns, personas }: Words): string {
  const prefix = vocabulary.cases.task.prefix
  const echo = personas.echo.id
  return `# Commit Format

## Required Format
\`<type>: <description> #<${nouns.work}-id> @<agent>\`

The description says in the imperative what the commit does. Why it does so, and what a reader of the diff cannot see, goes into the body. Your commits are kept as they are for the record; on the target branch ${vocabulary.product} lands one commit per ${nouns.work} in this same form.

## Format Elements
- \`#${prefix}-xxx\` - the ${nouns.work} that the change belongs to
- \`@${echo}-001\` - the agent that made it; your id stands in the assignment
- \`@human\` - a commit that a person made by hand

## Types
- \`feat:\` - new behaviour
- \`fix:\` - a defect removed
- \`refactor:\` - other shape, same behaviour
- \`test:\` - tests only

## Examples
- \`feat: refuse expired invitations #${formatId(prefix, 17)} @${formatId(echo, 4)}\`
- \`fix: keep the last page when the list is empty #${formatId(prefix, 23)} @${formatId(echo, 2)}\`
- \`fix: resolve merge conflict #${formatId(prefix, 17)} @${personas.rex.id}\`
`
}
