import type { Case } from '../../cases/case.ts'
import type { Metadata, TaskExecution } from '../../cases/metadata.ts'
import type { PersonsMessage } from '../../runs/run-control.ts'
import type { RunEnd, RunResult } from '../../runs/run-end.ts'
import { spendMetadata } from '../budgets/spend-metadata.ts'
import type { DevelopResult } from '../hands.ts'

const TEXT_CHARACTERS_MAX = 1_000
const MESSAGES_KEPT_MAX = 5
const LIST_MAX = 20

/** What the end of a developer's run records in its task. */
export function runMetadata(
  task: Case,
  { result, evidence, codeChanges, saved }: DevelopResult,
  nowMs: number,
): Metadata {
  const { end, execution, durationMs, waitedMs, spent, unread } = result
  const before = task.metadata.execution as TaskExecution | undefined
  const completedAt = new Date(nowMs).toISOString()
  const isOver = end.kind === 'complete' || end.kind === 'failed' || end.kind === 'timeout'
  return {
    ...spendMetadata(task, { spent, activeMs: durationMs - waitedMs }),
    execution: {
      ...execution,
      durationMs: (before?.durationMs ?? 0) + durationMs,
      ...(isOver ? { completedAt } : {}),
      ...(codeChanges ? { codeChanges } : {}),
      ...('reason' in end ? { lastError: end.reason.slice(0, TEXT_CHARACTERS_MAX) } : {}),
    },
    run: {
      end: end.kind,
      at: completedAt,
      ...(evidence ? { evidence } : {}),
      ...(saved.length > 0 ? { saved: saved.slice(0, LIST_MAX) } : {}),
      ...endDetails(end),
      ...unreadMessages(unread),
    },
  }
}

function unreadMessages(unread: RunResult['unread']): Metadata {
  if (unread.length === 0) return {}
  const kept = unread.slice(-MESSAGES_KEPT_MAX)
  return { messages: kept.map(({ by, text }) => ({ by, text: text.slice(0, TEXT_CHARACTERS_MAX) })) }
}

/**
 * Messages to a developer at work are kept in its task until the run ends: the agent may die before reading
 * them.
 */
export function toldMetadata(task: Case, told: readonly PersonsMessage[]): Metadata {
  if (told.length === 0) return {}
  const { messages } = lastRun(task)
  return {
    run: { ...(task.metadata.run as Metadata | undefined), ...unreadMessages([...messages, ...told]) },
  }
}

interface LastRun {
  readonly messages: readonly PersonsMessage[]
  readonly cause: unknown
  readonly end: string | undefined
}

/** What a task keeps of the run before: messages that its agent may not have read, and how it ended. */
export function lastRun({ metadata }: Case): LastRun {
  const { run } = metadata
  if (typeof run !== 'object' || run === null) return { messages: [], cause: undefined, end: undefined }
  const messages = 'messages' in run && Array.isArray(run.messages) ? (run.messages as PersonsMessage[]) : []
  const end = 'end' in run && typeof run.end === 'string' ? run.end : undefined
  return { messages, cause: 'cause' in run ? run.cause : undefined, end }
}

/** What people see of a task that waits for an answer. */
function endDetails(end: RunEnd): Metadata {
  switch (end.kind) {
    case 'complete':
      return {
        ...(end.proof.empty ? { unverified: true } : {}),
        ...(end.proof.proof.flagged.length > 0
          ? { flagged: end.proof.proof.flagged.slice(0, LIST_MAX) }
          : {}),
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
