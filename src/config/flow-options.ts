import { z } from 'zod'
import { wholeNumber } from './work-options.ts'

const reviewMode = z.enum(['per-task', 'batch', 'auto-approve', 'skip'])

export const review = z
  .strictObject({
    defaultMode: reviewMode
      .default('batch')
      .describe("The person's part in review; critic and auditor always run."),
    labels: z
      .record(z.string(), reviewMode)
      .default({})
      .describe('Mode by tag of the task; of these and the default the most restrictive holds.'),
    autoApprove: z
      .strictObject({
        maxIterations: wholeNumber(1, 1_000, 3, 'A task that took more iterations waits for a person.'),
      })
      .prefault({}),
    reviewRounds: wholeNumber(1, 20, 3, 'REVIEW_FAILED answers before a task fails.'),
    auditRounds: wholeNumber(1, 20, 3, 'AUDIT_FAILED answers before a task fails.'),
    remediationAttempts: wholeNumber(
      1,
      100,
      10,
      'Repair attempts on a blocked infrastructure before a person is asked.',
    ),
    ownTries: wholeNumber(
      1,
      20,
      3,
      "A role's own tries before an expert is asked (twice as many where none fits).",
    ),
    expertTries: wholeNumber(0, 20, 3, 'Tries with experts before a person is asked.'),
  })
  .prefault({})

export const integration = z
  .strictObject({
    mode: z
      .enum(['direct', 'pull-request'])
      .default('direct')
      .describe('Land here, or push and let the remote land.'),
    target: z
      .string()
      .min(1)
      .optional()
      .describe('Branch that work lands on; without it the branch that was checked out at init.'),
    remote: z.string().min(1).default('origin').describe('Remote of the mode `pull-request`.'),
    batchMax: wholeNumber(1, 64, 16, 'Changes checked together at most.'),
    conflictTries: wholeNumber(1, 20, 3, 'Tries of the resolver at one conflict.'),
    escalation: z
      .strictObject({
        minutes: wholeNumber(1, 10_080, 60, 'Minutes that a conflict waits for a person.'),
        action: z.enum(['defer', 'skip', 'retry', 'notify']).default('defer').describe('What happens then.'),
      })
      .prefault({}),
  })
  .prefault({})

export const checkpoints = z
  .strictObject({
    every: wholeNumber(0, 1_000, 5, 'Landed tasks between two checkpoints; 0 makes only named ones.'),
    max: wholeNumber(3, 1_000, 50, 'Checkpoints kept; named ones and the last three always are.'),
    retentionDays: wholeNumber(1, 3_650, 30, 'Days that a checkpoint is kept.'),
  })
  .prefault({})

const limit = z.strictObject({
  tokens: z.int().min(1).max(1e12).optional().describe('Tokens, in and out.'),
  money: z.number().min(0).max(1e6).optional().describe('US dollars.'),
  minutes: z.int().min(1).max(1e7).optional().describe('Minutes of agent time.'),
  runs: z.int().min(1).max(1e6).optional().describe('Runs.'),
})

export const budgets = z
  .strictObject({
    directive: limit.prefault({}).describe('Hard stop for a directive and all below it.'),
    operation: limit.prefault({}).describe('Hard stop for an operation and all below it.'),
    task: limit.prefault({}).describe('Hard stop for one task.'),
    softPercent: wholeNumber(
      1,
      100,
      80,
      'Share of a budget at which people are warned and no new work starts.',
    ),
  })
  .prefault({})

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

export const quietHours = z
  .strictObject({
    from: timeOfDay.optional().describe('Local time of day, HH:MM, when agents stop taking new work.'),
    to: timeOfDay.optional().describe('Local time of day, HH:MM, when they start again.'),
  })
  .prefault({})

export const planning = z
  .strictObject({
    whenLow: z
      .enum(['pause', 'background', 'skip'])
      .default('pause')
      .describe('What autopilot does when too few tasks are ready.'),
    readyMin: wholeNumber(0, 1_000, 3, 'Fewer ready tasks than this count as too few.'),
    maxRevisions: wholeNumber(1, 50, 5, 'Revisions of a proposal before something smaller is suggested.'),
    validationRounds: wholeNumber(1, 20, 5, 'Rounds of automatic repair of a plan.'),
  })
  .prefault({})

export const commits = z
  .strictObject({
    types: z
      .array(z.string().regex(/^[a-z][a-z-]{0,19}$/))
      .min(1)
      .max(30)
      .default(['feat', 'fix', 'refactor', 'test'])
      .describe('Types that a commit on the target may have.'),
  })
  .prefault({})

const HOOKS = [
  'pre-start',
  'post-complete',
  'pre-merge',
  'post-merge',
  'on-conflict',
  'on-discovery',
  'on-pause',
  'on-error',
  'on-escalation',
] as const

export const hooks = z
  .partialRecord(z.enum(HOOKS), z.array(z.string().min(1)).max(20))
  .default({})
  .describe('Event → lines for `sh -c`, with AXIOM_* variables, 30 seconds each; they never hold work up.')

export const knowledge = z
  .strictObject({
    promptTokens: wholeNumber(0, 100_000, 2_000, 'Tokens of discoveries in one prompt at most.'),
  })
  .prefault({})

export const prompts = z
  .strictObject({
    maxTokens: wholeNumber(2_000, 1_000_000, 24_000, 'Tokens of one assembled prompt at most.'),
  })
  .prefault({})

export const disk = z
  .strictObject({
    warnMegabytes: wholeNumber(1, 1e7, 1_000, 'Free space below which people are warned.'),
    pauseMegabytes: wholeNumber(
      1,
      1e7,
      500,
      'Free space below which agents pause and old workspaces are cleaned.',
    ),
    stopMegabytes: wholeNumber(1, 1e7, 100, 'Free space below which every agent is stopped.'),
  })
  .prefault({})

export const server = z
  .strictObject({
    port: wholeNumber(0, 65_535, 4717, 'Port of the user interface on 127.0.0.1; 0 takes any free one.'),
  })
  .prefault({})
