/** The facts about a workspace that decide its retention. */
export interface KeptWorkspace {
  readonly name: string
  readonly createdAtMs: number
  readonly state: 'in-use' | 'landed' | 'deleted' | 'failed' | 'waiting'
  /** When the run in it ended; undefined while it is in use. */
  readonly endedAtMs: number | undefined
  readonly bytes: number
}

export interface RetentionRules {
  readonly keepMs: number
  /** Bytes that must become free; zero when the disk is not short. */
  readonly bytesWanted: number
  /** Whether a person has agreed that failed workspaces may be removed early. */
  readonly failedMayGo: boolean
}

/**
 * The workspaces to remove now, the oldest first: those of landed and deleted tasks at once, failed ones
 * after their retention time, or earlier when disk space is short and a person agreed. A workspace that is in
 * use or waits for an answer is never included.
 */
export function chooseRemovals(
  workspaces: readonly KeptWorkspace[],
  rules: RetentionRules,
  nowMs: number,
): string[] {
  const ended = workspaces
    .filter(({ state }) => isOver(state) || state === 'failed')
    .toSorted((a, b) => (a.endedAtMs ?? a.createdAtMs) - (b.endedAtMs ?? b.createdAtMs))
  const due = ended.filter(
    ({ state, endedAtMs, createdAtMs }) =>
      isOver(state) || nowMs - (endedAtMs ?? createdAtMs) >= rules.keepMs,
  )
  let freed = due.reduce((sum, { bytes }) => sum + bytes, 0)
  const early = ended.filter((workspace) => {
    if (due.includes(workspace) || !rules.failedMayGo || freed >= rules.bytesWanted) return false
    freed += workspace.bytes
    return true
  })
  return ended
    .filter((workspace) => due.includes(workspace) || early.includes(workspace))
    .map(({ name }) => name)
}

/** No run goes on in it. */
function isOver(state: KeptWorkspace['state']): boolean {
  return state === 'landed' || state === 'deleted'
}
