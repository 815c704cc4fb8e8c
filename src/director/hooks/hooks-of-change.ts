import type { Case } from '../../cases/case.ts'
import { discoveryMetadata } from '../../cases/metadata.ts'
import type { Project } from '../../project/document.ts'
import { asksConsent } from '../../project/questions/cleaning-consent.ts'
import type { HookOrder } from '../hands.ts'

/** The hooks for a changed case, whatever changed it: an agent, a command, the director. */
export function hooksOfCase(before: Case | undefined, after: Case): HookOrder[] {
  if (before !== undefined || after.deletedAt !== undefined) return []
  switch (after.type) {
    case 'discovery':
      return [learnt(after)]
    case 'pending':
      return asked(after)
    default:
      return []
  }
}

/** The hooks for a pause of the whole project, by a person, by failures, or by its health. */
export function hooksOfProject({ pause: before }: Project, { pause }: Project): HookOrder[] {
  if (pause === null || pause.at === before?.at) return []
  const { cause, by, reason } = pause
  return [{ event: 'on-pause', variables: { CAUSE: cause, BY: by, REASON: reason } }]
}

function learnt({ id, content, metadata }: Case): HookOrder {
  const { scope, sourceTaskId = '', sourceAgentId = '' } = discoveryMetadata(metadata)
  return {
    event: 'on-discovery',
    variables: {
      CASE_ID: id,
      TASK_ID: sourceTaskId,
      AGENT: sourceAgentId,
      SCOPE: scope,
      CONTENT: content,
    },
  }
}

/** A question that work waits for needs a person. One that belongs to a person's planning does not. */
function asked(question: Case): HookOrder[] {
  const { id, content, metadata } = question
  const { waitingTask, raisedBy, context } = metadata
  const isForCleaning = asksConsent(question)
  if (typeof waitingTask !== 'string' && !isForCleaning) return []
  return [
    {
      event: 'on-escalation',
      variables: {
        CASE_ID: id,
        KIND: isForCleaning ? 'cleaning' : 'question',
        TASK_ID: textOf(waitingTask),
        AGENT: textOf(raisedBy),
        REASON: content,
        CONTEXT: textOf(context),
      },
    },
  ]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
