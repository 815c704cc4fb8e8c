/** What an agent is doing at this moment. The first six can change into each other; the others are final. */
export const LIVE_STATES = [
  'idle',
  'preparing',
  'iteration',
  'verification',
  'waiting',
  'paused',
  'completed',
  'blocked',
  'failed',
  'timed-out',
  'stopped',
] as const
export type LiveState = (typeof LIVE_STATES)[number]

const ENDS: readonly LiveState[] = ['completed', 'blocked', 'failed', 'timed-out', 'stopped']

/** The latest state of an agent, for display only; a missed row does no harm. */
export interface LiveRow {
  readonly agent: string
  /** The case it works on. */
  readonly task: string
  readonly state: LiveState
  /** The role it plays, where its name does not show it. */
  readonly role?: string
  readonly iteration: number
  readonly elapsedMs: number
  /** In percent, as last reported by the agent. */
  readonly progress?: number
  readonly activity?: string
  /** Why nothing happens now, and until when. */
  readonly waiting?: { readonly reason: string; readonly untilMs: number }
  readonly warning?: string
}

/** Whether the agent has ended its work. */
export function isOver({ state }: LiveRow): boolean {
  return ENDS.includes(state)
}
