import { Failure } from '../../platform/failure.ts'
import { type AgentHost, startAgent } from '../agent-run.ts'
import { type Credentials, putCredentials } from '../credentials.ts'
import { type AgentProcess, type AgentRequest, type Driver, NEW_SESSION, type Session } from '../driver.ts'
import { AcpConversation } from './acp-conversation.ts'
import type { AcpProfile } from './acp-profile.ts'

export interface AcpSettings {
  readonly profile: AcpProfile
  readonly model?: string
  readonly credentials: Credentials
}

/** Any agent that implements the Agent Client Protocol; its profile holds what is specific to it. */
export function acpDriver(host: AgentHost, settings: AcpSettings): Driver {
  const { name, resume } = settings.profile
  return {
    name,
    abilities: { send: true, redirect: true, resume, permissions: true },
    start: (request) => start(host, settings, request, NEW_SESSION),
    resume: (session, request) => {
      if (!resume)
        throw new Failure('AGENT_REQUEST_INVALID', `The "${name}" driver has no sessions to resume.`)
      return start(host, settings, request, session)
    },
  }
}

async function start(
  host: AgentHost,
  { profile, model, credentials }: AcpSettings,
  request: AgentRequest,
  session: Session,
): Promise<AgentProcess> {
  await putCredentials(host, request, credentials)
  return startAgent(host, request, {
    program: profile.program,
    args: profile.args,
    environment: credentials.environment,
    secrets: credentials.secrets,
    conversation: new AcpConversation(profile, request, request.model ?? model, session),
  })
}
