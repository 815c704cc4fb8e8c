/** What an agent is doing at this moment. The first six can change into each other; the others are ends. */
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

/** The last value of each agent, for whoever looks now; nothing is lost when one is missed. */
export interface LiveRow {
  readonly agent: string
  /** The case in its hands. */
  readonly task: string
  readonly state: LiveState
  /** The role it plays, where its name does not tell. */
  readonly role?: string
  readonly iteration: number
  readonly elapsedMs: number
  /** In percent, as the agent last said. */
  readonly progress?: number
  readonly activity?: string
  /** Why nothing happens now, and until when. */
  readonly waiting?: { readonly reason: string; readonly untilMs: number }
  readonly warning?: string
}

/** Whether the agent is through with what it had in hand. */
export function isOver({ state }: LiveRow): boolean {
  return ENDS.includes(state)
}
