import type { Command } from 'commander'
import {
  QUICK_ISSUE_NAMES,
  type QuickIssue,
  REWORK_OPTIONS,
  type ReworkOption,
} from '../../delivery/persons-review.ts'
import { Failure } from '../../platform/failure.ts'
import type { Reviewed } from '../../project/interventions/review-task.ts'
import { oneOf, words } from '../arguments.ts'
import { type Context, print } from '../context.ts'
import { withExamples } from '../examples.ts'
import { PERSON } from '../intervene.ts'
import { loadConfig } from '../load-config.ts'
import { type Project, withStore } from '../project.ts'
import { reviewDetails, reviewList } from '../render/review-text.ts'

interface Options {
  readonly note?: string
  readonly issue?: readonly QuickIssue[]
  readonly option?: ReworkOption
  readonly from?: string
  readonly hint?: string
}

const DECISIONS = ['approve', 'changes'] as const
type Decision = (typeof DECISIONS)[number]
/** Accepted in place of an id: everything that waits. */
const ALL = 'all'

export function define(command: Command, context: () => Context): void {
  command
    .argument('[id]', `a task that waits for a look, or "${ALL}"`)
    .argument('[decision]', `${DECISIONS.join(' or ')}; without it the task is shown`, oneOf(DECISIONS))
    .option('--note <text>', 'what you think of it, for the developer', words)
    .option(
      '--issue <name>',
      `what is wrong, in one word; may be given more than once: ${QUICK_ISSUE_NAMES.join(', ')}`,
      (value: string, earlier: readonly QuickIssue[] = []) => [...earlier, oneOf(QUICK_ISSUE_NAMES)(value)],
    )
    .option(
      '--option <name>',
      'where the work goes on: keep (in its workspace), fresh (from the target), checkpoint (from an earlier commit)',
      oneOf(REWORK_OPTIONS),
    )
    .option('--from <commit>', 'the commit that a checkpoint goes on from')
    .option('--hint <text>', 'what may help the next agent', words)
    .action((id: string | undefined, decision: Decision | undefined, options: Options) =>
      review(context(), id, decision, options),
    )
  withExamples(
    command,
    'axiom review',
    'axiom review task-004',
    'axiom review task-004 approve',
    'axiom review all approve --note "looked at all of them"',
    'axiom review task-004 changes --note "the error is swallowed" --issue errors',
    'axiom review task-004 changes --issue scope --option fresh',
  )
}

function review(
  context: Context,
  id: string | undefined,
  decision: Decision | undefined,
  options: Options,
): Promise<void> {
  return withStore(context, 'review', async (store, project) => {
    const { config } = await loadConfig(project.folder)
    const { waitingReviews } = await import('../../project/interventions/waiting-reviews.ts')
    const waiting = await waitingReviews(store, config.review)
    const chosen = id === undefined || id === ALL ? waiting : waiting.filter((one) => one.id === id)
    if (id !== undefined && id !== ALL && chosen.length === 0 && decision === undefined) throw notWaiting(id)
    if (decision === undefined) {
      print(context, id === undefined || id === ALL ? chosen : chosen[0], () =>
        id === undefined || id === ALL
          ? reviewList(context.colors, chosen)
          : chosen.map((one) => reviewDetails(context.colors, project.folder, one)).join('\n\n'),
      )
      return
    }
    const ids = id === ALL ? chosen.map((one) => one.id) : [id ?? '']
    const outcomes: Reviewed[] = []
    for (const one of ids) outcomes.push(await decide(store, project, one, decision, options))
    print(context, id === ALL ? outcomes : outcomes[0], () => outcomes.map(outcomeText).join('\n') || NOTHING)
  })
}

const NOTHING = 'Nothing waits for a look.'

async function decide(
  store: Parameters<Parameters<typeof withStore>[2]>[0],
  { folder }: Project,
  id: string,
  decision: Decision,
  { note, issue, option, from, hint }: Options,
): Promise<Reviewed> {
  const [{ reviewTask }, { personEventContext }] = await Promise.all([
    import('../../project/interventions/review-task.ts'),
    import('../../project/delivery/event-context.ts'),
  ])
  const { config } = await loadConfig(folder)
  const outcome = await reviewTask(store, personEventContext(folder, config), folder, {
    id,
    by: PERSON,
    decision,
    issues: issue ?? [],
    text: note ?? null,
    option: option ?? null,
    hint: hint ?? null,
    ...(from === undefined ? {} : { from }),
  })
  if (outcome.kind === 'refused') throw new Failure(outcome.code, outcome.message, { hint: outcome.hint })
  return outcome
}

function outcomeText({ task, decision, state }: Reviewed): string {
  return decision === 'approve'
    ? `${task} is approved, and is ${state}`
    : `${task} is sent back, and is ${state}`
}

function notWaiting(id: string): Failure {
  return new Failure('NOTHING_TO_REVIEW', `${id} does not wait for a person's look`, {
    hint: '"axiom review" lists what waits for a look',
  })
}
