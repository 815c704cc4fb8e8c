import type { AgentProcess } from './driver.ts'

/** Hung, spinning and stopped agents have one thing in common: they print nothing. */
export function isSilent(
  agent: Pick<AgentProcess, 'lastSignMs'>,
  nowMs: number,
  silenceMaxMs: number,
): boolean {
  return nowMs - agent.lastSignMs >= silenceMaxMs
}
