import { claudeDriver } from '../../../src/agents/drivers/claude.ts'
import { findClient } from '../install-client.ts'
import { type ScriptedClient, useScriptedClient } from '../scripted-subject.ts'

export const claude = findClient('claude')
/** A full name: the short ones mean another model with each version of the program. */
export const CLAUDE_MODEL = 'claude-sonnet-5-5'

export function useClaude(): ScriptedClient {
  return useScriptedClient({
    makeDriver: (host, api) =>
      claudeDriver(host, {
        program: claude.program,
        model: CLAUDE_MODEL,
        credentials: {
          environment: { ANTHROPIC_API_KEY: 'scripted-key', ANTHROPIC_BASE_URL: api.url },
          files: {},
          secrets: ['scripted-key'],
        },
      }),
  })
}
