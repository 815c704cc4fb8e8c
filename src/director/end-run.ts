import type { Case } from '../cases/case.ts'
import type { CaseCommand } from '../cases/command.ts'
import type { Metadata, TaskExecution } from '../cases/metadata.ts'
import { questionCase } from '../runs/answer-question.ts'
import type { RunEnd, RunResult } from '../runs/run-end.ts'

/** What the director knows of a run that has ended, besides what the run itself tells. */
export interface EndFacts {
  readonly fence: number
  readonly nowMs: number
  readonly codeChanges?: TaskExecution['codeChanges']
  /** The digest of the proof and its evidence. */
  readonly evidence?: string
  /** Where uncommitted work was saved. */
  readonly saved?: readonly string[]
}

const TEXT_CHARACTERS_MAX = 1_000
const MESSAGES_KEPT_MAX = 5

/** Everything that the end of a run changes, as one fenced commit. */
export function endCommands(task: Case, result: RunResult, facts: EndFacts): CaseCommand[] {
  const { fence } = facts
  const { id } = task
  const update: CaseCommand = { kind: 'update', id, metadata: metadataOf(task, result, facts), fence }
  const { end } = result
  const move = (status: Extract<CaseCommand, { kind: 'move' }>['status'], reason: string): CaseCommand[] => [
    update,
    { kind: 'move', id, status, reason, fence },
  ]
  switch (end.kind) {
    case 'complete':
      return move('review', `proven at ${end.proof.proof.commit}`)
    case 'blocked':
    case 'referred':
      return move('blocked', end.reason)
    case 'pending':
      return [
        ...move('blocked', `waits for an answer: ${end.question.question}`),
        { kind: 'create', ...questionCase(end.question, task) },
      ]
    case 'failed':
      return move('failed', end.reason)
    case 'timeout':
      return move('timeout', end.reason)
    case 'stopped':
      return move('pending', 'stopped by the user')
    case 'restart':
      return [update, { kind: 'recover', id, reason: `${end.cause}: ${end.reason}`, holderDead: true }]
    case 'fence-lost':
      return []
  }
}

function metadataOf(task: Case, result: RunResult, facts: EndFacts): Metadata {
  const { end, execution, durationMs, unread } = result
  const before = task.metadata.execution as TaskExecution | undefined
  const completedAt = new Date(facts.nowMs).toISOString()
  return {
    execution: {
      ...execution,
      durationMs: (before?.durationMs ?? 0) + durationMs,
      ...(end.kind === 'complete' || end.kind === 'failed' || end.kind === 'timeout' ? { completedAt } : {}),
      ...(facts.codeChanges ? { codeChanges: facts.codeChanges } : {}),
      ...('reason' in end ? { lastError: end.reason.slice(0, TEXT_CHARACTERS_MAX) } : {}),
    },
    run: {
      end: end.kind,
      at: completedAt,
      ...(facts.evidence ? { evidence: facts.evidence } : {}),
      ...(facts.saved && facts.saved.length > 0 ? { saved: facts.saved.slice(0, 20) } : {}),
      ...endDetails(end),
      ...(unread.length > 0
        ? {
            messages: unread
              .slice(-MESSAGES_KEPT_MAX)
              .map(({ by, text }) => ({ by, text: text.slice(0, TEXT_CHARACTERS_MAX) })),
          }
        : {}),
    },
  }
}

/** What the inbox has to show of a task that waits for somebody. */
function endDetails(end: RunEnd): Metadata {
  switch (end.kind) {
    case 'complete':
      return {
        ...(end.proof.empty ? { unverified: true } : {}),
        ...(end.proof.proof.flagged.length > 0 ? { flagged: end.proof.proof.flagged.slice(0, 20) } : {}),
      }
    case 'blocked':
      return {
        hold: { kind: end.warning?.kind ?? 'blocked', reason: end.reason.slice(0, TEXT_CHARACTERS_MAX) },
      }
    case 'referred':
      return { hold: { kind: end.signal.name, reason: end.reason.slice(0, TEXT_CHARACTERS_MAX) } }
    case 'restart':
      return { cause: end.cause }
    default:
      return {}
  }
}
