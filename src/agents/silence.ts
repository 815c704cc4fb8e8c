import type { AgentProcess } from './driver.ts'

/** Hung, spinning and stopped agents all print nothing. */
export function isSilent(
  agent: Pick<AgentProcess, 'lastSignMs'>,
  nowMs: number,
  silenceMaxMs: number,
): boolean {
  return nowMs - agent.lastSignMs >= silenceMaxMs
}
