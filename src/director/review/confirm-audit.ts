import assert from 'node:assert'
import { basename } from 'node:path'
import { taskMetadata } from '../../cases/metadata.ts'
import type { Check } from '../../config/work-options.ts'
import type { ReviewFinding } from '../../delivery/review-contract.ts'
import { COMMANDS_PER_AUDIT_MAX } from '../../delivery/take-notes.ts'
import { readNotes } from '../../project/task-notes.ts'
import { checksFor } from '../../verification/run-checks.ts'
import { openCheckout } from '../../workspaces/open-checkout.ts'
import { slotVariables } from '../../workspaces/slot-variables.ts'
import type { ConfirmOrder, ConfirmResult } from '../hands.ts'
import type { RunWorld } from '../run-world.ts'
import { checkCommit } from './check-commit.ts'

const COMMAND_TIMEOUT_S = 300
const LOOK_TIMEOUT_MS = 30_000
/** Variables may precede a command; then its first word must be a program and nothing else. */
const PROGRAM = /^(?:[A-Za-z_]\w*=\S*\s+)*([\w./+-]+)(?:\s|$)/

/**
 * Trusts no audit: runs the required checks and every command that the auditor called green, on a fresh
 * checkout of the commit, in the sandbox and without credentials.
 */
export async function confirmAudit(world: RunWorld, order: ConfirmOrder): Promise<ConfirmResult> {
  const { task, delivery, slot } = order
  const { commit } = delivery
  assert(commit !== null, `${task.id} has no commit under review`)
  const { config, store, root } = world
  const required = checksFor(config.verification, taskMetadata(task.metadata).verify ?? [])
  const named = commandsOf(await readNotes(store, task), commit, required)
  const [commands, unknown] = await partCommands(world, commit, named)
  const checked = await checkCommit(world, {
    commit,
    task: task.id,
    agent: 'director',
    checks: [...required, ...commands.map(asCheck)],
    variables: slotVariables(slot, basename(root), config.workspace.variables),
  })
  if (checked.kind === 'red') return { kind: 'refuted', text: checked.text }
  const evidence = { commit, results: checked.results, notRepeated: unknown }
  return { kind: 'confirmed', evidence: await store.putBlob(Buffer.from(JSON.stringify(evidence))) }
}

/** What the last audit of this commit ran beyond the checks that run anyway. */
function commandsOf(
  notes: readonly ReviewFinding[],
  commit: string,
  required: readonly Pick<Check, 'name' | 'command'>[],
): string[] {
  const ofCommit = notes.filter((note) => note.kind === 'command' && note.commit === commit)
  const auditor = ofCommit.at(-1)?.by
  const known = new Set(required.flatMap(({ name, command }) => [name, command]))
  const commands = ofCommit.filter(({ by, text }) => by === auditor && !known.has(text))
  return [...new Set(commands.map(({ text }) => text))].slice(-COMMANDS_PER_AUDIT_MAX)
}

/** An auditor may give a check a name instead of a command; a name that is no program cannot be run again. */
async function partCommands(
  { runLine, ground }: RunWorld,
  commit: string,
  named: readonly string[],
): Promise<[commands: string[], unknown: string[]]> {
  const commands: string[] = []
  const unknown: string[] = []
  if (named.length === 0) return [commands, unknown]
  // Commands only ever run in a copy: the sandbox gives write access to its working directory.
  await using checkout = await openCheckout(ground, commit)
  for (const line of named) {
    const program = PROGRAM.exec(line)?.[1]
    const isThere =
      program !== undefined && (program.includes('/') || (await isProgram(runLine, checkout.path, program)))
    ;(isThere ? commands : unknown).push(line)
  }
  return [commands, unknown]
}

async function isProgram(runLine: RunWorld['runLine'], cwd: string, program: string): Promise<boolean> {
  const line = `command -v ${program}`
  const { ending } = await runLine({ line, cwd, environment: {}, timeoutMs: LOOK_TIMEOUT_MS })
  return ending.kind === 'exited' && ending.exitCode === 0
}

function asCheck(command: string): Check {
  return { name: command, command, timeout: COMMAND_TIMEOUT_S, required: true, environments: {} }
}
