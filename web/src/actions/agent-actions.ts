import type { AgentRow } from '../../../src/server/contract.ts'
import { actionOf, textIn } from './action.ts'
import { CASE_ID } from './case-fields.ts'

const isResting = ({ indicator, orders }: AgentRow) => indicator === 'paused' || orders.includes('pause')

/** Actions on a running agent; they work with or without a running director. */
export const AGENT_ACTIONS = [
  actionOf('agent', {
    id: 'pause-agent',
    name: 'Pause',
    does: 'Let the agent rest at the end of its iteration',
    key: 'p',
    fits: ({ row }) => !isResting(row),
    command: ({ row }) => ({ kind: 'pause', agent: row.agent }),
  }),
  actionOf('agent', {
    id: 'resume-agent',
    name: 'Resume',
    does: 'Let the agent go on',
    key: 'p',
    fits: ({ row }) => isResting(row),
    command: ({ row }) => ({ kind: 'resume', agent: row.agent }),
  }),
  actionOf('agent', {
    id: 'tell',
    name: 'Tell…',
    does: 'Tell the agent something',
    key: 't',
    fits: () => true,
    fields: [{ name: 'text', label: 'What it should know', kind: 'prose', required: true }],
    command: ({ row }, values) => ({ kind: 'tell', agent: row.agent, text: textIn(values, 'text') }),
  }),
  actionOf('agent', {
    id: 'redirect',
    name: 'Redirect…',
    does: 'Put the agent on another task; its changes are kept',
    key: 'm',
    fits: ({ row }) => row.stage === 'develop' || row.stage === null,
    fields: [
      {
        name: 'task',
        label: 'To the task',
        kind: 'case',
        required: true,
        choices: (_, { cases }) =>
          cases.filter(({ ready }) => ready).map(({ id, title }) => ({ value: id, label: title })),
      },
    ],
    command: ({ row }, values) => {
      const task = textIn(values, 'task')
      return CASE_ID.test(task) ? { kind: 'redirect', agent: row.agent, task } : undefined
    },
  }),
  actionOf('agent', {
    id: 'stop',
    name: 'Stop',
    does: 'Stop the agent; its changes are kept, and its task waits for a person',
    key: 's',
    tone: 'danger',
    fits: () => true,
    command: ({ row }) => ({ kind: 'stop', agent: row.agent }),
  }),
] as const
