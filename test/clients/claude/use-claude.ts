import type { AgentHost } from '../../../src/agents/agent-run.ts'
import type { Driver } from '../../../src/agents/driver.ts'
import { claudeDriver } from '../../../src/agents/drivers/claude.ts'
import type { ScriptedApi } from '../../scripted-api/server.ts'
import { findClient } from '../install-client.ts'
import { type ScriptedClient, useScriptedClient } from '../scripted-subject.ts'

export const claude = findClient('claude')
/** A full name: the short ones mean another model with each version of the program. */
export const CLAUDE_MODEL = 'claude-sonnet-5-5'

/** The real program, with the scripted model behind it. */
export function makeClaude(host: AgentHost, api: ScriptedApi): Driver {
  return claudeDriver(host, {
    program: claude.program,
    model: CLAUDE_MODEL,
    credentials: {
      environment: { ANTHROPIC_API_KEY: 'scripted-key', ANTHROPIC_BASE_URL: api.url },
      files: {},
      secrets: ['scripted-key'],
    },
  })
}

export function useClaude(): ScriptedClient {
  return useScriptedClient({ makeDriver: makeClaude })
}
