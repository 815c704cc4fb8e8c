import type { QuickIssue } from '../../../src/server/contract.ts'
import { actionOf, type Field, given, linesIn, type SubjectOf, textIn } from './action.ts'

type CaseSubject = SubjectOf<'case'>

const isReviewed = ({ row, decision }: CaseSubject) =>
  row.delivery === 'person-review' || decision?.settledBy.includes('review') === true
const isAsked = ({ row, decision }: CaseSubject) =>
  (row.type === 'pending' && row.status !== 'done') || decision?.settledBy.includes('answer') === true

/** A question names the task that it holds; the decision is about that task. */
const taskOf = ({ row, decision }: CaseSubject) =>
  row.type === 'task' ? row.id : (decision?.waiting[0] ?? row.id)

const ISSUES: Field = {
  name: 'issues',
  label: 'What is wrong',
  kind: 'many',
  choices: (_, { words }) =>
    Object.entries(words.quickIssues).map(([value, sentence]) => ({ value, label: sentence })),
}
const START: Field = {
  name: 'start',
  label: 'The next attempt begins',
  kind: 'choice',
  initial: () => 'keep',
  choices: () => [
    { value: 'keep', label: 'with this work' },
    { value: 'fresh', label: 'from the target' },
    { value: 'checkpoint', label: 'from what was handed in before this' },
  ],
}

/** Actions that settle an entry of the inbox, or undo the end of a task. */
export const DECISION_ACTIONS = [
  actionOf('case', {
    id: 'approve',
    name: 'Approve',
    does: 'Let the change land',
    key: 'v',
    prominent: true,
    tone: 'primary',
    fits: isReviewed,
    command: ({ row }) => ({ kind: 'review', task: row.id, decision: 'approve' }),
  }),
  actionOf('case', {
    id: 'request-changes',
    name: 'Request changes…',
    does: 'Send the change back to its developer',
    key: 'h',
    prominent: true,
    fits: isReviewed,
    fields: [ISSUES, { name: 'note', label: 'In your words', kind: 'prose' }, START],
    command: ({ row }, values) => {
      const issues = linesIn(values, 'issues') as QuickIssue[]
      const start = textIn(values, 'start') as 'keep' | 'fresh' | 'checkpoint'
      if (issues.length === 0 && textIn(values, 'note') === '') return undefined
      return {
        kind: 'review',
        task: row.id,
        decision: 'changes',
        note: textIn(values, 'note'),
        ...(issues.length > 0 ? { issues } : {}),
        start,
      }
    },
  }),
  actionOf('case', {
    id: 'answer',
    name: 'Answer…',
    does: 'Answer a question in your own words',
    key: 'w',
    prominent: true,
    fits: isAsked,
    fields: [
      { name: 'text', label: 'Your answer', kind: 'prose', required: true },
      { name: 'stands', label: 'Answer the same question so from now on', kind: 'flag' },
    ],
    command: ({ row }, values) => ({
      kind: 'answer',
      case: row.id,
      text: textIn(values, 'text'),
      ...(values.stands === 'yes' ? { stands: true } : {}),
    }),
  }),
  actionOf('case', {
    id: 'retry',
    name: 'Retry…',
    does: 'Try the task again, with guidance if you have some',
    key: 'r',
    prominent: true,
    tone: 'primary',
    fits: ({ row, decision }) =>
      (row.type === 'task' && ['failed', 'timeout'].includes(row.status)) ||
      decision?.settledBy.includes('retry') === true,
    fields: [{ name: 'guidance', label: 'Guidance for the next attempt', kind: 'prose' }],
    command: (subject, values) => ({
      kind: 'retry',
      task: taskOf(subject),
      ...given('guidance', textIn(values, 'guidance')),
    }),
  }),
  actionOf('case', {
    id: 'halt',
    name: 'Halt…',
    does: 'Give the repair up and hold the project',
    key: 'H',
    prominent: true,
    tone: 'danger',
    warning: 'Nothing new starts until somebody retries or overrides.',
    fits: ({ decision }) => decision?.settledBy.includes('halt') === true,
    command: (subject) => ({ kind: 'halt', task: taskOf(subject) }),
  }),
] as const
