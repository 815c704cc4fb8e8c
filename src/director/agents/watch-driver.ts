import type { AgentProcess, AgentRequest, Driver } from '../../agents/driver.ts'
import type { ProcessLedger } from '../../health/process-ledger.ts'
import { isAlive } from '../../platform/process/process-table.ts'

/** An agent's process as health sees it. */
export interface WatchedAgent {
  readonly agent: string
  readonly task: string
  readonly lastSignMs: number
  readonly isAlive: boolean
}

export interface WatchedDriver extends Driver {
  /** The agents that were started through this driver and have not ended. */
  agents(): Promise<readonly WatchedAgent[]>
}

/** The same driver, with every process that it starts written down until all of it is gone. */
export function watchDriver(driver: Driver, ledger: ProcessLedger): WatchedDriver {
  const running = new Map<AgentProcess, AgentRequest>()
  const watch = async (process: AgentProcess, request: AgentRequest): Promise<AgentProcess> => {
    const { tree } = process
    // An agent that its provider would refuse is answered for, but never started: there is nothing to be found again.
    if (tree.pid <= 0) return process
    running.set(process, request)
    await ledger.note(request.assignment.agent, tree)
    const forget = (): Promise<void> => {
      running.delete(process)
      return ledger.forget(tree)
    }
    // Only now, or one that ends at once would be forgotten before it is noted. A note that cannot be taken away is
    // found to name nothing at the next look.
    process.ended.then(forget, forget).catch(() => undefined)
    return process
  }
  return {
    name: driver.name,
    abilities: driver.abilities,
    start: async (request) => watch(await driver.start(request), request),
    resume: async (session, request) => watch(await driver.resume(session, request), request),
    agents: () =>
      Promise.all(
        [...running].map(async ([process, { assignment }]) => ({
          agent: assignment.agent,
          task: assignment.taskId,
          lastSignMs: process.lastSignMs,
          isAlive: await isAlive(process.tree),
        })),
      ),
  }
}
