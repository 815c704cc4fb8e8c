import type { Command } from 'commander'
import {
  type Preview,
  previewRollback,
  type RolledBack,
  rollBack,
} from '../../director/checkpoints/roll-back.ts'
import { userGitEnvironment } from '../../director/land/remote/user-git-environment.ts'
import { openWorld } from '../../director/open/open-world.ts'
import { publishTarget } from '../../integration/publish-target.ts'
import { Failure } from '../../platform/failure.ts'
import { gitDirectories } from '../../workspaces/repository-fingerprint.ts'
import { createAsker } from '../ask.ts'
import { BUILT } from '../built.ts'
import { type Context, print } from '../context.ts'
import { withExamples } from '../examples.ts'
import { loadConfig } from '../load-config.ts'
import { withStore } from '../project.ts'
import { headline } from '../render/plain-text.ts'

const SUBJECT_WIDTH = 80

export function define(command: Command, context: () => Context): void {
  command
    .argument('<name>', 'the checkpoint to go back to')
    .option('--yes', 'take back what the preview says without asking')
    .option('--dry-run', 'only say what would be lost')
    .action((name: string, options: Options) => rollback(context(), name, options))
  withExamples(
    command,
    'axiom rollback before-the-rewrite --dry-run',
    'axiom rollback before-the-rewrite --yes',
  )
}

interface Options {
  readonly yes?: boolean
  readonly dryRun?: boolean
}

function rollback(context: Context, name: string, options: Options): Promise<void> {
  return withStore(context, 'rollback', async (store, { root, folder, vocabulary }) => {
    const loaded = await loadConfig(folder, { env: context.env })
    // No agent is started: only the sandbox is needed, for the checks.
    const agents = { ...loaded.config.agents, driver: 'sim' as const, roles: {}, fallback: [] }
    const config = { ...loaded.config, agents }
    const facts = {
      root,
      vocabulary,
      config,
      store,
      environment: context.env,
      built: BUILT,
      allowUnsandboxed: true,
    }
    await using world = await openWorld(facts)
    const preview = await previewRollback(world, name)
    if (options.dryRun) return print(context, preview, () => draw(context, preview))
    if (options.yes !== true) await askFor(context, preview)
    const done = await rollBack(world, name)
    refuse(done)
    const { commonDir } = await gitDirectories(root)
    const { git, integration } = world.ground
    const published = await publishTarget({
      ...{ git, integration, target: integration.target, user: { gitDir: commonDir } },
      userEnvironment: userGitEnvironment(context.env),
    })
    const value = { ...done, published: published.kind }
    print(
      context,
      value,
      () => `${draw(context, preview)}\n\nThis was taken back. Your branch: ${published.kind}.`,
    )
  })
}

async function askFor(context: Context, preview: Preview): Promise<void> {
  context.err(draw(context, preview))
  if (await createAsker(context, false).confirm('Take this back?', false)) return
  throw new Failure('ROLLBACK_UNCONFIRMED', 'nobody said yes, so nothing was taken back', {
    hint: 'the same command with --yes',
  })
}

function refuse(done: RolledBack): void {
  if (done.kind === 'conflict') {
    throw new Failure(
      'ROLLBACK_CONFLICT',
      `the commit "${done.with.subject}" rests on what would be taken back, in ${done.files.join(', ')}; nothing was changed`,
      { hint: 'take that commit back yourself first, or go back to a later checkpoint' },
    )
  }
  if (done.kind === 'red') {
    throw new Failure('ROLLBACK_RED', `the target as it was does not pass the checks:\n${done.feedback}`, {
      hint: 'nothing was changed; go back to another checkpoint',
    })
  }
}

function draw({ colors }: Context, { checkpoint, lost, kept, restored }: Preview): string {
  const commits = (all: Preview['lost']): string[] =>
    all.map(({ commit, subject }) => `  ${commit.slice(0, 12)}  ${headline(subject, SUBJECT_WIDTH)}`)
  return [
    lost.length === 0
      ? `Nothing landed since ${checkpoint}.`
      : colors.bold(`Landed since ${checkpoint}, and taken back:`),
    ...commits(lost),
    ...(kept.length > 0 ? [colors.dim('Committed by people, and kept:'), ...commits(kept)] : []),
    ...restored.map(({ id, from, to }) => `  ${id}  ${from} → ${to}`),
  ].join('\n')
}
