import type { Case } from '../../../cases/case.ts'
import { taskMetadata } from '../../../cases/metadata.ts'
import { assignmentOf, checksOf, discoveriesFor } from '../../../personas/case-prompt.ts'
import { readPersonaFolder } from '../../../personas/persona-folder.ts'
import type { Material, PromptInput } from '../../../personas/prompt-input.ts'
import type { ResolveOrder } from '../../hands.ts'
import type { RunWorld } from '../../run-world.ts'

const OTHERS_MAX = 10
const CHANGE_CHARACTERS_MAX = 8_000

/**
 * The resolver's prompt: the task whose work comes in, the tasks that it conflicts with on the target, and
 * the places.
 */
export async function resolverPrompt(
  world: RunWorld,
  { agent, task, entry, target, files: paths }: ResolveOrder,
): Promise<Omit<PromptInput, 'iteration'>> {
  const { store, vocabulary, root, config } = world
  const [parent, discoveries, files, others] = await Promise.all([
    task.parentId === null ? [] : store.query({ ids: [task.parentId] }),
    store.query({ type: 'discovery', status: 'active' }),
    readPersonaFolder(root, vocabulary, 'resolver'),
    metOnTarget(world, target, entry.source, paths),
  ])
  const { place: _, ...assigned } = assignmentOf(task, {
    ancestors: parent,
    dependencies: [],
    checks: checksOf(config.verification),
  })
  return {
    vocabulary,
    role: 'resolver',
    agent,
    files,
    assignment: {
      ...assigned,
      order: `The work of ${task.id} cannot be merged with the target. Settle it so that both sides keep what they meant.`,
      place: [
        `The merge is under way: HEAD is the target at \`${target}\`, the branch \`${task.id}\` is the work at \`${entry.source}\``,
        `In conflict: ${paths.map((path) => `\`${path}\``).join(', ')}`,
      ],
      material: [...others, ...(await changeOf(world, target, entry.source, paths))],
    },
    discoveries: discoveriesFor(vocabulary, 'rex', discoveries),
  }
}

/** The tasks that landed on the conflicting files since the work began, the newest first. */
async function metOnTarget(
  { ground: { git, integration }, store }: RunWorld,
  target: string,
  source: string,
  paths: readonly string[],
): Promise<Material[]> {
  const format = '--format=%H%x1f%(trailers:key=Task,valueonly,unfold,separator=%x1e)%x1f%s'
  const range = [target, `^${source}`, '--', ...paths]
  const words = ['log', `--max-count=${OTHERS_MAX}`, format, ...range]
  const text = await git.text(integration, ['--literal-pathspecs', ...words])
  const found: Material[] = []
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [commit = '', id = '', subject = ''] = line.split('\x1f')
    const [task] = id === '' ? [] : await store.query({ ids: [id] })
    const told = task ? sideText(task) : 'A person committed it; there is no task.'
    found.push({ title: `Ours: ${subject}`, origin: `${id || 'a person'}, ${commit}`, text: told })
  }
  return found
}

function sideText({ content, metadata }: Case): string {
  const { acceptanceCriteria = [] } = taskMetadata(metadata)
  return [content, ...acceptanceCriteria.map((criterion) => `- ${criterion}`)].join('\n')
}

/** What each side did to the files since they diverged. */
async function changeOf(
  { ground: { git, integration } }: RunWorld,
  target: string,
  source: string,
  paths: readonly string[],
): Promise<Material[]> {
  const { exitCode, stdout } = await git.run(integration, ['merge-base', target, source], { expect: [0, 1] })
  if (exitCode !== 0) return []
  const base = stdout.toString('utf8').trim()
  const sides = [
    ['Ours: the change on the target', target],
    ['Theirs: the change that waits', source],
  ] as const
  const shown: Material[] = []
  for (const [title, side] of sides) {
    const words = ['--literal-pathspecs', 'diff', '--no-color', '--no-ext-diff', base, side, '--', ...paths]
    shown.push({
      title,
      origin: 'git diff',
      text: (await git.text(integration, words)).slice(0, CHANGE_CHARACTERS_MAX),
    })
  }
  return shown
}
