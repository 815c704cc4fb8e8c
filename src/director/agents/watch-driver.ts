import type { AgentProcess, AgentRequest, Driver } from '../../agents/driver.ts'
import type { ProcessLedger } from '../../health/process-ledger.ts'
import { isAlive } from '../../platform/process/process-table.ts'

/** An agent's process, as the health check sees it. */
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

/** The same driver, with every process that it starts recorded until the whole process tree has ended. */
export function watchDriver(driver: Driver, ledger: ProcessLedger): WatchedDriver {
  const running = new Map<AgentProcess, AgentRequest>()
  const watch = async (process: AgentProcess, request: AgentRequest): Promise<AgentProcess> => {
    const { tree } = process
    // A request that the provider would refuse gets an answer, but no process: there is nothing to record.
    if (tree.pid <= 0) return process
    running.set(process, request)
    await ledger.note(request.assignment.agent, tree)
    const forget = (): Promise<void> => {
      running.delete(process)
      return ledger.forget(tree)
    }
    // Registered only after the record is written, or a process that ends at once would be forgotten before
    // it is recorded. A record that cannot be removed is found to name no process at the next check.
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
