import type { CaseType } from '../../../src/server/contract.ts'
import { actionOf, type Choice, type Field, given, type Known, linesIn, textIn } from './action.ts'
import { CASE_ID } from './case-fields.ts'

const TYPE: Field = {
  name: 'type',
  label: 'Type',
  kind: 'choice',
  required: true,
  initial: () => 'task',
  choices: (_, { words }) =>
    (Object.keys(words.cases) as CaseType[]).map((value) => ({ value, label: words.cases[value].name })),
}
const PARENT: Field = {
  name: 'parent',
  label: 'Under',
  kind: 'case',
  initial: (_, known) => parentsFor('task', known)[0]?.value ?? '',
  choices: (_, known, values) => parentsFor((values.type ?? 'task') as CaseType, known),
}

function parentsFor(type: CaseType, { words, cases }: Known): Choice[] {
  return cases
    .filter((row) => words.cases[type].parents.includes(row.type) && row.status !== 'done')
    .map(({ id, title }) => ({ value: id, label: title }))
}

/** Actions on the whole project. */
export const PROJECT_ACTIONS = [
  actionOf('project', {
    id: 'pause',
    name: 'Pause',
    does: 'Pause the project',
    key: 'P',
    fits: ({ project }) => project.paused === null,
    command: () => ({ kind: 'pause' }),
  }),
  actionOf('project', {
    id: 'resume',
    name: 'Resume',
    does: 'Resume the project',
    key: 'P',
    tone: 'primary',
    fits: ({ project }) => project.paused !== null,
    command: () => ({ kind: 'resume' }),
  }),
  actionOf('project', {
    id: 'semi-auto',
    name: 'Semi-auto',
    does: 'Switch to semi-auto: agents at work finish, a person assigns what is next',
    key: 'M',
    fits: ({ project }) => project.mode === 'autopilot',
    command: () => ({ kind: 'mode', mode: 'semi-auto' }),
  }),
  actionOf('project', {
    id: 'autopilot',
    name: 'Autopilot…',
    does: 'Switch to autopilot: free slots are filled as long as there is work',
    key: 'M',
    fits: ({ project }) => project.mode === 'semi-auto',
    fields: [
      {
        name: 'until',
        label: 'Until',
        kind: 'line',
        initial: () => 'no-ready',
        hint: 'no-ready, count:5, duration:2h or time:18:00',
      },
      {
        name: 'tags',
        label: 'Only tasks with one of these tags',
        kind: 'lines',
        hint: 'One a line; none: all',
      },
    ],
    command: (_, values) => {
      const tags = linesIn(values, 'tags')
      return {
        kind: 'mode',
        mode: 'autopilot',
        ...given('until', textIn(values, 'until')),
        ...(tags.length > 0 ? { tags } : {}),
      }
    },
  }),
  actionOf('project', {
    id: 'create',
    name: 'New case…',
    does: 'Create a case',
    key: 'n',
    afterwards: 'open',
    fits: () => true,
    fields: [
      TYPE,
      PARENT,
      { name: 'content', label: 'What is wanted', kind: 'prose', required: true },
      { name: 'criteria', label: 'Acceptance criteria', kind: 'lines', hint: 'One a line' },
      { name: 'depends', label: 'Waits for', kind: 'lines', hint: 'Ids of cases, one a line' },
      { name: 'tags', label: 'Tags', kind: 'lines', hint: 'One a line' },
    ],
    command: (_, values) => {
      const parent = textIn(values, 'parent')
      const dependsOn = linesIn(values, 'depends')
      if (![...dependsOn, ...(parent ? [parent] : [])].every((id) => CASE_ID.test(id))) return undefined
      return {
        kind: 'create',
        type: textIn(values, 'type') as CaseType,
        content: textIn(values, 'content'),
        ...given('parentId', parent),
        ...some('criteria', linesIn(values, 'criteria')),
        ...some('dependsOn', dependsOn),
        ...some('tags', linesIn(values, 'tags')),
      }
    },
  }),
] as const

function some<Name extends string>(name: Name, list: readonly string[]) {
  return (list.length === 0 ? {} : { [name]: list }) as { readonly [Key in Name]?: readonly string[] }
}
