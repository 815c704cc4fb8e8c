import type { Occurrence } from '../../delivery/occurrence.ts'
import { agentEvent, directorEvent } from '../../project/delivery/make-event.ts'
import type { RunEnd } from '../../runs/run-end.ts'

export interface EndedRun {
  readonly task: string
  readonly agent: string
  readonly fence: number
  /** Distinguishes the runs of one claim: a claim lasts through reviews and rework. */
  readonly run: string
}

/** The delivery event for the end of a developer's run; undefined when the claim was lost. */
export function wordOfEnd(end: RunEnd, { task, agent, fence, run }: EndedRun): Occurrence | undefined {
  const id = `${agent}/${fence}/${run}`
  const byDeveloper = (signal: 'COMPLETE' | 'TASK_INCOMPLETE', details: Partial<Occurrence>): Occurrence => ({
    ...directorEvent(task, 'CLAIMED', id),
    signal,
    sender: 'developer',
    agent,
    fence,
    ...details,
  })
  switch (end.kind) {
    case 'complete':
      return byDeveloper('COMPLETE', {
        commit: end.proof.proof.commit,
        said: end.handover ?? null,
      })
    case 'blocked':
      return end.signal
        ? agentEvent('developer', agent, end.signal, id, { fence, text: end.reason })
        : byDeveloper('TASK_INCOMPLETE', { text: end.reason })
    case 'pending':
    case 'referred':
      return agentEvent('developer', agent, end.signal, id, { fence })
    case 'failed':
      return directorEvent(task, 'RUN_FAILED', id, { text: end.reason })
    case 'timeout':
      return directorEvent(task, 'RUN_TIMED_OUT', id, { text: end.reason })
    case 'restart':
      return directorEvent(task, 'AGENT_LOST', id, { text: `${end.cause}: ${end.reason}` })
    case 'stopped':
      return directorEvent(task, 'STOPPED', id)
    case 'fence-lost':
      return undefined
  }
}
