import { tmpdir } from 'node:os'
import type { Config } from '../../config/schema.ts'
import type { Prerequisite, ProbeWorld } from './prerequisite.ts'
import { probeAgents } from './probe-agents.ts'
import { probeGit, probeLargeFiles, probeRepository } from './probe-git.ts'
import { type AgentProbe, probeIsolation } from './probe-isolation.ts'
import { probeDisk, probeMemory, probeNode, probePort, probeWritable } from './probe-machine.ts'

/** Looks at everything that work needs, nearly all at once; the order of the answer is fixed. */
export async function probePrerequisites(
  world: ProbeWorld,
  config: Config,
  nodeVersion: string,
  agentProbe: AgentProbe,
  /** Of the project; where there is none, the folder that is looked at. */
  root: string = world.cwd,
): Promise<Prerequisite[]> {
  const git = await probeGit(world)
  // Before the others, for git would count the file that this one writes for a moment.
  const writable = await probeWritable(world.cwd)
  // The trials of the sandbox take place there, so without it they would say nothing about the sandbox.
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
