import type { Step } from '../step.ts'
import type { Role } from './role.ts'

/** Keeps what both sides wrote, in the order target, task, and commits the merge. */
export const resolver: Role = ({ situation, conflicts }, wish) => {
  const { taskId, agent } = situation
  if (wish.verdict === 'blocked' || wish.verdict === 'failed') {
    return [{ do: 'ask', question: wish.reason ?? 'Both sides changed the same thing; which one holds?' }]
  }
  const found = conflicts()
  const edits = found.flatMap(({ file, text }): Step[] =>
    text === undefined ? [] : [{ do: 'edit', file, write: keepBothSides(text) }],
  )
  return [
    { do: 'say', text: `${found.length} file(s) are in conflict; I keep what both sides wrote.` },
    ...edits,
    { do: 'commit', message: `fix: resolve merge conflict #${taskId} @${agent}` },
    { do: 'signal', tag: 'RESOLVED' },
  ]
}

/** Drops the marker lines and the base between them; everything else stays in its order. */
export function keepBothSides(text: string): string {
  let part: 'plain' | 'ours' | 'base' | 'theirs' = 'plain'
  const kept: string[] = []
  for (const line of text.split('\n')) {
    if (part === 'plain' && /^<{7}(?: |$)/.test(line)) part = 'ours'
    else if (part === 'ours' && /^\|{7}(?: |$)/.test(line)) part = 'base'
    else if ((part === 'ours' || part === 'base') && /^={7}$/.test(line)) part = 'theirs'
    else if (part === 'theirs' && /^>{7}(?: |$)/.test(line)) part = 'plain'
    else if (part !== 'base') kept.push(line)
  }
  return kept.join('\n')
}
