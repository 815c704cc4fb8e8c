import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { SimFailure } from '../sim-failure.ts'
import type { Stage } from '../stage.ts'
import type { StepOf } from '../step.ts'
import { runCommand } from './run.ts'
import { type ToolOutcome, useTool } from './use-tool.ts'

const GIT_TIMEOUT_MS = 120_000

function git(stage: Stage, ...args: string[]): Promise<ToolOutcome> {
  return runCommand(stage, 'git', args, GIT_TIMEOUT_MS)
}

/** Commits everything in the workspace; having nothing to commit is a normal result, as in git. */
export async function playCommit(step: StepOf<'commit'>, stage: Stage): Promise<void> {
  const { taskId, agent } = stage.situation
  const message = step.message ?? `feat: work on the task #${taskId} @${agent}`
  const command = `git add -A && git commit -m ${JSON.stringify(message)}`
  await useTool(stage, 'Bash', { command }, step.asks ?? false, async () => {
    const added = await git(stage, 'add', '-A')
    if (added.failed) return added
    return git(stage, 'commit', ...(step.allowEmpty ? ['--allow-empty'] : []), '-m', message)
  })
}

/** Makes the workspace hold exactly the tree of a commit, or some paths of it, without moving the branch. */
export async function playCheckout(step: StepOf<'checkout'>, stage: Stage): Promise<void> {
  const args = step.paths
    ? ['checkout', step.ref, '--', ...step.paths]
    : ['read-tree', '-u', '--reset', `${step.ref}^{tree}`]
  const outcome = await useTool(stage, 'Bash', { command: `git ${args.join(' ')}` }, false, () =>
    git(stage, ...args),
  )
  if (outcome.failed) throw new SimFailure('SIM_STEP_FAILED', `checkout of ${step.ref}: ${outcome.text}`)
}

export async function playPatch(step: StepOf<'patch'>, stage: Stage): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'axiom-sim-'))
  try {
    const file = step.file === undefined ? join(folder, 'patch') : resolve(stage.playbookFolder, step.file)
    if (step.text !== undefined) writeFileSync(file, step.text)
    const outcome = await useTool(stage, 'Bash', { command: `git apply ${file}` }, false, () =>
      git(stage, 'apply', '--index', '--3way', '--', file),
    )
    if (outcome.failed) throw new SimFailure('SIM_STEP_FAILED', `the patch does not apply: ${outcome.text}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
