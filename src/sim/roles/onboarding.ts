import { findSection } from '../prompt-reading.ts'
import type { Role } from './role.ts'

/** Proposes what the rules found; without that, a project that has no checks. */
export const onboarding: Role = ({ situation }) => {
  const found = findSection(situation.prompt, /^the configuration without you/i)?.text
  const json = found || JSON.stringify({ verification: [] })
  const after = `I have looked at the project. This is how it is checked.\n\n\`\`\`json\n${json}\n\`\`\``
  return [{ do: 'signal', tag: 'AVA_COMPLETE', after }]
}
