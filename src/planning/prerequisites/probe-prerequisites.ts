import { tmpdir } from 'node:os'
import type { Config } from '../../config/schema.ts'
import type { Prerequisite, ProbeWorld } from './prerequisite.ts'
import { probeAgents } from './probe-agents.ts'
import { probeGit, probeLargeFiles, probeRepository } from './probe-git.ts'
import { type AgentProbe, probeIsolation } from './probe-isolation.ts'
import { probeDisk, probeMemory, probeNode, probePort, probeWritable } from './probe-machine.ts'

/** Probes everything that work needs, mostly in parallel; the order of the results is fixed. */
export async function probePrerequisites(
  world: ProbeWorld,
  config: Config,
  nodeVersion: string,
  agentProbe: AgentProbe,
  /** The root of the project; without one, the probed folder. */
  root: string = world.cwd,
): Promise<Prerequisite[]> {
  const git = await probeGit(world)
  // Before the others, because git would count the temporary file that this probe writes.
  const writable = await probeWritable(world.cwd)
  // The sandbox trials run there; if it is not writable, their results would say nothing about the sandbox.
  const temporary = await probeWritable(tmpdir(), 'temporary')
  const hasGit = git.status === 'ok'
  const groups = await Promise.all([
    [probeNode(nodeVersion), git],
    hasGit ? probeRepository(world) : [],
    hasGit ? probeLargeFiles(world) : [],
    probeAgents(world, { agents: config.agents, folder: root }),
    temporary.status === 'ok' ? probeIsolation(world, config.sandbox, agentProbe) : [temporary],
    [writable],
    probeDisk(world, config.disk),
    [probeMemory(config.agents.maxConcurrent)],
    probePort(config.server.port),
  ])
  return groups.flat()
}
