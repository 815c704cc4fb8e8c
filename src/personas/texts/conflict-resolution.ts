import { formatId } from '../../cases/ids.ts'
import type { Words } from '../words.ts'

export function writeConflictResolution({ vocabulary, personas, nouns, signal }: Words): string {
  const reference = formatId(vocabulary.cases.task.prefix, 42)
  return `# Conflict Resolution

Make one text of two changes without losing either intent.

## When to Use
- A merge is under way and files are unmerged
- Both sides changed the same lines, the same function or the same list
- A clean merge that fails its checks

## Instructions

### Step 1: See the three sides
\`\`\`bash
git status --short                  # UU both changed, AA both added, DU/UD one deleted
git show :1:path  :2:path  :3:path  # ancestor, ours (target), theirs (the ${nouns.work})
git log --oneline --merge -- path   # the commits that meet here
\`\`\`

### Step 2: Name both intents
For each place write for yourself: ours wanted …, theirs wanted …. Take it from commit messages, criteria and tests, not from the lines alone.

### Step 3: Combine
| Situation | What to do |
|-----------|------------|
| Both add to a list | Keep both, in the list's order; look for equal keys |
| Both change one function | Start from ours, apply theirs' intent anew |
| One renames, one adds a caller | Keep the new name, change the caller |
| One deletes, one edits | Find where the behaviour went; edit it there, or hand over |
| Same thing, written twice | Keep ours, move theirs' tests over |
| Generated or lock file | Take ours, run the generator again |

### Step 4: Check
Run \`git diff --check\` and the project's checks. Read \`git diff HEAD\` (what theirs brings) and \`git diff MERGE_HEAD\` (what ours brings): both intents must be visible.

### Step 5: Commit the merge
State per file what was combined.

## Examples

### Example 1: Two steps in one function
Ours added a rate limit at the top of \`login()\`, theirs a second factor after the password check. Both stay, in the order that keeps each one's test true: limit, password, second factor.

\`\`\`text
fix: resolve merge conflict #${reference} @${personas.rex.id}

src/login.ts: rate limit (target) before the password check,
second factor (${reference}) after it; both tests unchanged.
\`\`\`

## Escalation
When the intents exclude each other, do not choose: ${signal('PENDING')} with both intents and the question, in one line.

## Related Skills
- none
`
}
