import { findSection, itemsOf } from '../prompt-reading.ts'
import type { Role } from './role.ts'

/** Keeps every report unchanged, in the answer format of a curator. */
export const curator: Role = ({ situation }) => {
  const reports = itemsOf(findSection(situation.prompt, /reports|discoveries/i))
  const decisions = reports.map(({ text }, place) => ({
    source: place + 1,
    decision: 'keep',
    of: null,
    category: 'general',
    impact: 'medium',
    files: [],
    content: text.replace(/^\[[^\]]*\]\s*/, ''),
  }))
  const json = JSON.stringify(decisions, null, 2)
  return [{ do: 'say', text: `What was learnt holds as reported.\n\n\`\`\`json\n${json}\n\`\`\`` }]
}
