import { dependenciesOf } from '../../cases/case.ts'
import type { ReviewFinding } from '../../delivery/review-contract.ts'
import { assignmentOf, checksOf, discoveriesFor, iterationOf } from '../../personas/case-prompt.ts'
import { readPersonaFolder } from '../../personas/persona-folder.ts'
import type { Assignment, Feedback, Iteration, Material, PromptInput } from '../../personas/prompt-input.ts'
import { agentOfRole } from '../../personas/roles.ts'
import { ancestorsOf } from '../../project/ancestors-of.ts'
import { expertNote, expertsTold } from '../../project/experts.ts'
import { findingFeedback, findingLine, noteFeedback, readNotes } from '../../project/task-notes.ts'
import { describeSignals } from '../../signals/describe-signals.ts'
import { speakAs } from '../../vocabulary/speak-as.ts'
import type { PerformOrder } from '../hands.ts'
import type { RunWorld } from '../run-world.ts'
import { baseOf } from './changed-lines.ts'
import { openRequest } from './expert-request.ts'
import type { RolePlace } from './role-place.ts'

export interface RolePrompt {
  readonly prompt: Omit<PromptInput, 'iteration'>
  readonly first: Iteration
}

/** The agent reads a longer change itself, in its copy. */
const DIFF_CHARACTERS_MAX = 40_000

/** Gathers the prompt of an agent of a role: the task, what it has to judge, and earlier signals. */
export async function promptFor(world: RunWorld, order: PerformOrder, place: RolePlace): Promise<RolePrompt> {
  const { store, vocabulary, root, config } = world
  const { role, task, agent } = order
  const [ancestors, dependencies, discoveries, files, questions, notes] = await Promise.all([
    ancestorsOf(store, task),
    store.query({ ids: dependenciesOf(task) }),
    store.query({ type: 'discovery', status: 'active' }),
    readPersonaFolder(root, vocabulary, role),
    store.query({ type: 'pending', status: 'done', parentId: task.parentId }),
    readNotes(store, task),
  ])
  const { place: _branch, ...assigned } = assignmentOf(task, {
    ancestors,
    dependencies,
    checks: checksOf(config.verification),
  })
  const { answers } = iterationOf(task, questions)
  const feedback = [...noteFeedback(notes, role, answers), ...spelled(world, order, place)]
  return {
    prompt: {
      vocabulary,
      role,
      agent,
      files,
      assignment: { ...assigned, ...(await briefOf(world, order, place, notes)) },
      discoveries: discoveriesFor(vocabulary, agentOfRole(role), discoveries),
    },
    first: {
      number: 1,
      ...(answers ? { answers } : {}),
      ...(feedback.length > 0 ? { feedback } : {}),
    },
  }
}

/**
 * The successor of an agent that was not understood gets the signal forms again; and a note about a broken
 * set-up.
 */
function spelled({ vocabulary }: RunWorld, { role, delivery }: PerformOrder, place: RolePlace): Feedback[] {
  const origin = 'the director'
  return [
    ...(delivery.losses > 0
      ? [
          {
            kind: 'finding' as const,
            title: 'How to signal; the agent before you was lost or not understood',
            origin,
            text: speakAs(vocabulary, describeSignals(role, vocabulary.signals)),
          },
        ]
      : []),
    ...(place.setUpFault === null
      ? []
      : [
          {
            kind: 'output' as const,
            title: 'The set-up of this copy failed',
            origin,
            text: place.setUpFault,
          },
        ]),
  ]
}

type Brief = Pick<Assignment, 'order' | 'place' | 'material' | 'experts'> & { readonly id?: string }

/** The request to each role, and its material. */
async function briefOf(
  world: RunWorld,
  order: PerformOrder,
  place: RolePlace,
  notes: readonly ReviewFinding[],
): Promise<Brief> {
  const { role, task, delivery } = order
  const experts = await expertsTold(world, task, role)
  switch (role) {
    case 'critic':
      return { ...(await reviewBrief(world, place, `This is review ${delivery.rounds.review + 1}.`, notes)) }
    case 'auditor': {
      const round = `This is audit ${delivery.rounds.audit + 1}.`
      return { ...(await reviewBrief(world, place, round, notes)), experts }
    }
    case 'analyst':
      return {
        order: `The ${world.vocabulary.nouns.work} below has no criteria that a test could show. Write it out.`,
        place: [`This is a copy of the target at \`${place.commit}\`; nothing you change here is kept`],
        experts,
      }
    case 'expert':
      return expertBrief(world, order, place, notes)
    case 'remediator':
      return {
        order: `This is attempt ${delivery.repairAttempts}.`,
        place: [`You stand on the target at \`${place.commit}\`; what you commit here is checked and landed`],
        experts,
      }
    case 'health-auditor':
      return {
        order: 'A repair says it is done.',
        place: [`This is a copy of exactly \`${place.commit}\`; nothing you change here is kept`],
        material: repairHistory(notes),
        experts,
      }
  }
}

async function reviewBrief(
  { ground }: RunWorld,
  place: RolePlace,
  order: string,
  notes: readonly ReviewFinding[],
): Promise<Brief> {
  const { git, integration } = ground
  const base = await baseOf(git, integration, place.target, place.commit)
  const diff = await git.text(integration, ['diff', '--no-color', '--no-ext-diff', base, place.commit, '--'])
  const earlier = findingFeedback(notes)
  return {
    order,
    place: [
      `The commit under review is \`${place.commit}\`; this is a copy of exactly it, and nothing you change here is kept`,
      `Read the change with \`git diff ${base}..${place.commit}\``,
    ],
    material: [
      ...earlier.map(({ title, origin, text }) => ({ title, origin, text })),
      ...handedOver(notes, place.commit),
      { title: 'The change', origin: 'git diff', text: diff.slice(0, DIFF_CHARACTERS_MAX) },
    ],
  }
}

/** The developer's notes on exactly this commit; an earlier one is no longer under review. */
function handedOver(notes: readonly ReviewFinding[], at: string): Material[] {
  const last = notes.findLast(({ kind, commit }) => kind === 'handover' && commit === at)
  return last ? [{ title: 'What the developer says of it', origin: last.by, text: last.text }] : []
}

async function expertBrief(
  world: RunWorld,
  order: PerformOrder,
  place: RolePlace,
  notes: readonly ReviewFinding[],
): Promise<Brief> {
  const { task, delivery } = order
  const { id, expert } = delivery.request ?? { id: task.id, expert: '' }
  const request = await openRequest(world, { task, delivery, place, notes })
  const note = await expertNote(world, expert)
  return {
    id,
    order: `You are asked as the expert ${expert}. The id of the request is ${id}.`,
    place: [
      `This is a copy of the asking agent's work at \`${place.commit}\`; nothing you change here is kept`,
    ],
    material: [
      ...(note === undefined
        ? []
        : [{ title: 'What you know', origin: `the note on ${expert}`, text: note }]),
      request,
    ],
  }
}

function repairHistory(notes: readonly ReviewFinding[]): Material[] {
  const told = notes.filter(({ kind }) => kind === 'report' || kind === 'repair')
  if (told.length === 0) return []
  const text = told.map((note) => findingLine(note)).join('\n')
  return [{ title: 'What was reported and tried', origin: 'the agents before you', text }]
}
