import type { ParsedPlan } from '../../../planning/plan-file/parse-plan.ts'
import { canvasText, type Plan } from '../../../planning/plan-file/plan.ts'
import { DIRECTIVE_NAME, nameOfKey } from '../../../planning/plan-file/plan-commands.ts'
import { Failure } from '../../../platform/failure.ts'
import type { createExpert } from '../../../project/experts.ts'
import type { Committed } from '../../../store/store.ts'
import { createAsker } from '../../ask.ts'
import { type Context, print } from '../../context.ts'
import { findProject, withStore } from '../../project.ts'
import { readInput } from '../../read-input.ts'
import { growTrees, treeText } from '../../render/case-tree.ts'
import { headline } from '../../render/plain-text.ts'
import { commit } from '../case/commit.ts'
import { specPath, writeSpec } from '../spec/spec-document.ts'

const PREVIEW_WIDTH = 72

type ValidPlan = Extract<ParsedPlan, { kind: 'valid' }>

/** Makes the cases of a ready plan: all of them and the spec, or nothing. */
export async function planFromFile(context: Context, file: string, yes: boolean): Promise<void> {
  findProject(context.cwd)
  const parsed = await readPlan(context, file)
  for (const { place, message } of parsed.warnings) {
    const hint = 'the plan can be used as it is'
    context.warn({ code: 'PLAN_WARNING', message: `${place}: ${message}`, hint })
  }
  if (!yes) await askFor(context, parsed.plan)
  return withStore(context, 'plan', async (store, project) => {
    const text = canvasText(parsed.plan)
    // The text is stored before any case refers to it, so an interruption leaves no case without its spec.
    const digest = await store.putBlob(Buffer.from(text))
    const committed = await commit(store, parsed.commands(digest))
    const directive = committed.names[DIRECTIVE_NAME] ?? ''
    await writeSpec(context, specPath(project, directive), text)
    const keys = keysOf(parsed.plan, committed)
    await makeExperts({ ...project, store }, directive, parsed.plan, keys)
    const records = await store.query({ ids: committed.created })
    const value = { directive, specFile: `specs/${directive}.md`, keys }
    print(context, value, () => treeText(context.colors, growTrees(records)))
  })
}

/** The experts that the plan asks for, each made for the tasks that it names. */
async function makeExperts(
  ground: Parameters<typeof createExpert>[0],
  directive: string,
  { experts }: Plan,
  keys: Readonly<Record<string, string>>,
): Promise<void> {
  if (experts.length === 0) return
  const director = await import('../../../project/experts.ts')
  for (const { name, knows, expertise, supports, tasks, askWhen } of experts)
    await director.createExpert(ground, directive, {
      name,
      gap: knows,
      expertise,
      supports,
      tasks: tasks.map((key) => keys[key] ?? key),
      triggers: askWhen.map((when) => ({ role: null, when })),
    })
}

async function readPlan(context: Context, file: string): Promise<ValidPlan> {
  const text = await readInput(context, file)
  const { parsePlan } = await import('../../../planning/plan-file/parse-plan.ts')
  const parsed = parsePlan(text)
  if (parsed.kind === 'valid') return parsed
  const { faults } = parsed
  const list = faults.map(({ place, message }) => `\n  ${place}: ${message}`).join('')
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
  throw new Failure('USAGE_PLAN', `the plan has ${count}:${list}`, {
    hint: 'nothing was changed; correct the file and give it again',
  })
}

/** Without `--yes` the user decides. Without a terminal, the plan is shown and nothing is made. */
async function askFor(context: Context, plan: Plan): Promise<void> {
  if (!context.json) context.err(previewOf(plan))
  const agreed = await createAsker(context, false).confirm('Make these cases?', false)
  if (agreed) return
  throw new Failure('PLAN_UNCONFIRMED', 'nothing was made: the plan needs your yes', {
    hint: 'give the same command with --yes',
  })
}

function previewOf({ need, operations }: Plan): string {
  const lines = operations.flatMap(({ key, content, tasks }) => [
    `  ${key}  ${headline(content, PREVIEW_WIDTH)}`,
    ...tasks.map((task) => `    ${task.key}  ${headline(task.content, PREVIEW_WIDTH)}`),
  ])
  return [`This plan would make, for "${headline(need, PREVIEW_WIDTH)}":`, ...lines].join('\n')
}

function keysOf({ operations }: Plan, { names }: Committed): Record<string, string> {
  const keys = operations.flatMap(({ key, tasks }) => [key, ...tasks.map((task) => task.key)])
  return Object.fromEntries(keys.map((key) => [key, names[nameOfKey(key)] ?? '']))
}
