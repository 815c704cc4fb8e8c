import type { SandboxHost } from './confinement.ts'
import { type ProbeOptions, probeSandbox } from './probe-sandbox.ts'
import type { SandboxReport } from './sandbox-report.ts'

const known = new Map<string, Promise<SandboxReport>>()

/**
 * The report of an earlier canary of this process under the same conditions, or of a new one. Only a success
 * is remembered: after a failure, a missing program may be installed meanwhile.
 */
export function probeOnce(
  host: SandboxHost,
  options: ProbeOptions = {},
  probe: typeof probeSandbox = probeSandbox,
): Promise<SandboxReport> {
  const { environment, home, identity } = host
  const { level = 'auto', network = { kind: 'host' }, agent, all = false } = options
  const key = JSON.stringify([
    ...[environment.PATH, home, identity?.uid, identity?.gid],
    ...[level, network.kind, agent?.program, agent?.folder, all],
  ])
  const before = known.get(key)
  if (before !== undefined) return before
  const probing = probe(host, options)
  known.set(key, probing)
  probing.then(
    ({ sandboxed }) => sandboxed || known.delete(key),
    () => known.delete(key),
  )
  return probing
}
