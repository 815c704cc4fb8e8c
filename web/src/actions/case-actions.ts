import type { CaseType } from '../../../src/server/contract.ts'
import { actionOf, given, type Known, linesIn, type SubjectOf, textIn } from './action.ts'
import { CASE_ID, MAYBE_REASON, REASON } from './case-fields.ts'

type CaseSubject = SubjectOf<'case'>

const isOpen = ({ row }: CaseSubject) => row.status !== 'done'
const isFree = ({ row }: CaseSubject) => Object.keys(row.holders).length === 0

/** Manual actions on a case; the case rules on the server decide whether they are allowed. */
export const CASE_ACTIONS = [
  actionOf('case', {
    id: 'assign',
    name: 'Assign',
    does: 'Let whoever is free take the task up next',
    key: 'a',
    prominent: true,
    tone: 'primary',
    fits: (subject) => subject.row.type === 'task' && subject.row.status === 'pending' && isFree(subject),
    command: ({ row }) => ({ kind: 'assign', task: row.id }),
  }),
  actionOf('case', {
    id: 'assign-to',
    name: 'Assign to…',
    does: 'Let one agent take the task up when it is free',
    key: 'A',
    fits: (subject) => subject.row.type === 'task' && subject.row.status === 'pending' && isFree(subject),
    fields: [
      {
        name: 'agent',
        label: 'Agent at work',
        kind: 'choice',
        required: true,
        choices: (_, { agents }) =>
          agents.map(({ agent, task }) => ({ value: agent, label: `${agent}, now on ${task}` })),
        initial: (_, { agents }) => agents[0]?.agent ?? '',
      },
    ],
    command: ({ row }, values) => ({ kind: 'assign', task: row.id, agent: textIn(values, 'agent') }),
  }),
  actionOf('case', {
    id: 'edit',
    name: 'Edit…',
    does: 'Change its words, criteria and tags; whoever works on it is told',
    key: 'e',
    prominent: true,
    fits: isOpen,
    fields: [
      {
        name: 'content',
        label: 'What is wanted',
        kind: 'prose',
        required: true,
        initial: (_, { detail }) => detail?.content ?? '',
      },
      {
        name: 'criteria',
        label: 'Acceptance criteria',
        kind: 'lines',
        hint: 'One a line',
        initial: (_, { detail }) => detail?.criteria.map(({ text }) => text).join('\n') ?? '',
      },
      {
        name: 'tags',
        label: 'Tags',
        kind: 'lines',
        hint: 'One a line',
        initial: (_, { detail }) => detail?.summary.tags.join('\n') ?? '',
      },
    ],
    command: ({ row }, values) => ({
      kind: 'edit',
      case: row.id,
      content: textIn(values, 'content'),
      criteria: linesIn(values, 'criteria'),
      tags: linesIn(values, 'tags'),
    }),
  }),
  actionOf('case', {
    id: 'depend',
    name: 'Wait for…',
    does: 'Let it wait for another case',
    key: 'd',
    fits: isOpen,
    fields: [
      {
        name: 'on',
        label: 'Waits for',
        kind: 'case',
        required: true,
        choices: (subject, { cases }) =>
          cases
            .filter((row) => subject.kind === 'case' && row.id !== subject.row.id && row.status !== 'done')
            .map(({ id, title }) => ({ value: id, label: title })),
      },
    ],
    command: ({ row }, values) => {
      const on = textIn(values, 'on')
      return CASE_ID.test(on) ? { kind: 'depend', case: row.id, on } : undefined
    },
  }),
  actionOf('case', {
    id: 'undepend',
    name: 'Wait no longer for…',
    does: 'Remove a dependency; this breaks a circle',
    key: 'D',
    fits: ({ row }) => row.dependsOn.length > 0,
    fields: [
      {
        name: 'on',
        label: 'No longer waits for',
        kind: 'choice',
        required: true,
        choices: (subject) =>
          subject.kind === 'case' ? subject.row.dependsOn.map((id) => ({ value: id, label: id })) : [],
        initial: (subject) => (subject.kind === 'case' ? (subject.row.dependsOn[0] ?? '') : ''),
      },
    ],
    command: ({ row }, values) => ({ kind: 'undepend', case: row.id, on: textIn(values, 'on') }),
  }),
  actionOf('case', {
    id: 'block',
    name: 'Block…',
    does: 'Block it until somebody frees it',
    key: 'b',
    fits: (subject) =>
      ['pending', 'active'].includes(subject.row.status) &&
      subject.row.type !== 'discovery' &&
      isFree(subject),
    fields: [REASON],
    command: ({ row }, values) => ({ kind: 'block', case: row.id, reason: textIn(values, 'reason') }),
  }),
  actionOf('case', {
    id: 'unblock',
    name: 'Unblock',
    does: 'Free what somebody blocked',
    key: 'B',
    prominent: true,
    fits: ({ row }) => row.status === 'blocked' && row.cycle === null,
    command: ({ row }) =>
      row.type === 'task' ? { kind: 'retry', task: row.id } : { kind: 'unblock', case: row.id },
  }),
  actionOf('case', {
    id: 'complete',
    name: 'Complete by hand…',
    does: 'Call it done without an agent',
    key: 'c',
    warning: 'It counts as done though nothing of it was checked, and there is no way back.',
    fits: (subject) =>
      ['pending', 'active'].includes(subject.row.status) &&
      subject.row.type !== 'discovery' &&
      isFree(subject),
    command: ({ row }) => ({ kind: 'complete', case: row.id }),
  }),
  actionOf('case', {
    id: 'defer',
    name: 'Defer…',
    does: 'Put it off; it can come back as what it was',
    key: 'f',
    fits: (subject) =>
      isOpen(subject) &&
      isFree(subject) &&
      !['directive', 'deferred', 'discovery'].includes(subject.row.type),
    fields: [REASON],
    command: ({ row }, values) => ({ kind: 'defer', case: row.id, reason: textIn(values, 'reason') }),
  }),
  actionOf('case', {
    id: 'transition',
    name: 'Turn into…',
    does: 'Turn it into a case of another type',
    key: 'y',
    fits: (subject) =>
      isOpen(subject) && isFree(subject) && !['directive', 'discovery', 'task'].includes(subject.row.type),
    fields: [
      {
        name: 'type',
        label: 'Into',
        kind: 'choice',
        required: true,
        choices: (subject, known) =>
          typesFor(subject.kind === 'case' ? subject.row.type : 'draft', known).map((value) => ({
            value,
            label: known.words.cases[value].name,
          })),
        initial: (subject, known) =>
          typesFor(subject.kind === 'case' ? subject.row.type : 'draft', known)[0] ?? '',
      },
      REASON,
    ],
    command: ({ row }, values) => ({
      kind: 'transition',
      case: row.id,
      type: textIn(values, 'type') as CaseType,
      reason: textIn(values, 'reason'),
    }),
  }),
  actionOf('case', {
    id: 'delete',
    name: 'Delete…',
    does: 'Delete it; its text and history stay in the store',
    key: 'x',
    tone: 'danger',
    afterwards: 'leave',
    warning: 'It disappears from every list. Its text and history stay in the store.',
    fits: isFree,
    fields: [REASON, { name: 'cascade', label: 'And everything under it', kind: 'flag' }],
    command: ({ row }, values) => ({
      kind: 'delete',
      case: row.id,
      reason: textIn(values, 'reason'),
      ...(values.cascade === 'yes' ? { cascade: true } : {}),
    }),
  }),
  actionOf('case', {
    id: 'override',
    name: 'Override…',
    does: 'Take the responsibility: go on over a repair that was given up, or a budget that is spent',
    key: 'o',
    prominent: true,
    fits: ({ row, decision }) =>
      (row.status === 'blocked' && row.cycle === null) || decision?.settledBy.includes('override') === true,
    fields: [MAYBE_REASON],
    command: ({ row, decision }, values) => ({
      kind: 'override',
      case: row.type === 'pending' ? (decision?.waiting[0] ?? row.id) : row.id,
      ...given('reason', textIn(values, 'reason')),
    }),
  }),
] as const

/** A deferred task returns as a task; any other case also as a draft. */
function typesFor(type: CaseType, { words, detail }: Known): readonly CaseType[] {
  const before = detail?.fields.deferredFrom
  const was = (Object.keys(words.cases) as CaseType[]).find((one) => one === before)
  if (type !== 'deferred' || was === undefined) return words.cases[type].becomes
  return was === 'task' ? ['task'] : [was, ...words.cases[type].becomes]
}
