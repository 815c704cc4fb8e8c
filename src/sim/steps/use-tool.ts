import type { Stage } from '../stage.ts'

export interface ToolOutcome {
  readonly text: string
  readonly failed: boolean
}

/** One tool use as the stream shows it: the call, the permission request if needed, the result. */
export async function useTool(
  stage: Stage,
  name: string,
  input: Readonly<Record<string, unknown>>,
  asks: boolean,
  act: () => Promise<ToolOutcome> | ToolOutcome,
): Promise<ToolOutcome> {
  const id = stage.stream.toolUse(name, input)
  const refusal = asks ? await askPermission(stage, id, name, input) : undefined
  const outcome = refusal === undefined ? await act() : { text: refusal, failed: true }
  stage.stream.toolResult(id, outcome.text, outcome.failed)
  return outcome
}

/** Undefined when the tool may be used, else the refusal for the agent. */
async function askPermission(
  stage: Stage,
  toolUseId: string,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const denial = { tool_name: name, tool_use_id: toolUseId, tool_input: input }
  if (!stage.asksPermission) {
    const message = 'permission is needed and nobody can be asked'
    stage.stream.denied(denial, message)
    return message
  }
  const requestId = `sim-ask-${toolUseId}`
  const answering = stage.inbox.answerTo(requestId)
  stage.stream.event({
    type: 'control_request',
    request_id: requestId,
    request: {
      subtype: 'can_use_tool',
      tool_name: name,
      input,
      permission_suggestions: [],
      tool_use_id: toolUseId,
    },
  })
  const answer = await answering
  if (answer.allowed) return undefined
  stage.stream.denied(denial, answer.message)
  return answer.message || 'permission denied'
}
