import { homedir } from 'node:os'
import { join } from 'node:path'
import type { RunInSandbox } from '../../src/platform/process/run-line.ts'
import { DEFAULT_LIMITS, type SandboxHost } from '../../src/platform/sandbox/confinement.ts'
import { probeSandbox } from '../../src/platform/sandbox/probe-sandbox.ts'
import { createRunInSandbox } from '../../src/platform/sandbox/run-confined-line.ts'
import type { Scratch } from './scratch.ts'

const host: SandboxHost = { environment: process.env, home: homedir() }
const report = await probeSandbox(host)

/** The strongest level that the canary proved on this machine. */
export const level = report.level

/** Lines run as checks and agents do: the workspace writable, the objects readable, the rest of the project hidden. */
export function runnerFor(scratch: Scratch, at = level): RunInSandbox {
  return createRunInSandbox({
    level: at,
    host,
    confinementFor: (cwd) => ({
      workspace: cwd,
      home: join(scratch.root, 'private/home'),
      temporary: join(scratch.root, 'private/tmp'),
      masked: [scratch.user, join(scratch.root, 'axiom'), join(scratch.root, 'workspaces')],
      readOnly: [scratch.ground.integration.objects],
      readWrite: [],
      network: { kind: 'host' },
      limits: DEFAULT_LIMITS,
    }),
  })
}
