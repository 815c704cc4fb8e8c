import { z } from 'zod'
import { AGENT_PROGRAM_NAMES } from './agent-programs.ts'

/** A whole number with both bounds, so that no setting can request the impossible. */
export function wholeNumber(minimum: number, maximum: number, fallback: number, meaning: string) {
  return z.int().min(minimum).max(maximum).default(fallback).describe(meaning)
}

const SECONDS_PER_DAY = 86_400

export const DRIVERS = ['auto', ...AGENT_PROGRAM_NAMES, 'acp', 'command', 'sim'] as const
export type DriverName = (typeof DRIVERS)[number]

export const ROLES = [
  'onboarding',
  'planner',
  'analyst',
  'developer',
  'critic',
  'auditor',
  'resolver',
  'curator',
  'remediator',
  'health-auditor',
  'expert',
  'lead',
] as const

const program = z
  .array(z.string().min(1))
  .describe(
    'Program and arguments of the drivers `command` and `acp`, as a list; no shell. Of `claude` and `codex` the program alone, where it has another name or place.',
  )
const model = z
  .string()
  .min(1)
  .describe("Model name handed to the driver; without it the driver's own default.")

const driverChoice = z.strictObject({
  driver: z.enum(DRIVERS).optional().describe('What runs the agent.'),
  command: program.optional(),
  model: model.optional(),
})

export const agents = z
  .strictObject({
    driver: z
      .enum(DRIVERS)
      .default('auto')
      .describe('What runs agents. `auto` takes the first of claude, codex, gemini, opencode that is found.'),
    command: program.default([]),
    model: model.optional(),
    roles: z
      .partialRecord(z.enum(ROLES), driverChoice)
      .default({})
      .describe('Another driver, command or model for single roles.'),
    fallback: z
      .array(driverChoice)
      .max(10)
      .default([])
      .describe('Drivers to try, in order, when the first cannot be used.'),
    maxConcurrent: wholeNumber(1, 50, 2, 'Agents that work at once.'),
    maxIterations: wholeNumber(1, 1_000, 50, 'Iterations of one task before it counts as timed out.'),
    maxMinutes: wholeNumber(1, 1_440, 30, 'Minutes of one task before it counts as timed out.'),
    retries: wholeNumber(0, 10, 2, 'Further attempts after an agent process failed.'),
    stuckIterations: wholeNumber(1, 100, 5, 'Iterations without a commit before a task is shown as stuck.'),
    sameOutputLimit: wholeNumber(2, 20, 3, 'Equal outputs in a row that count as a loop and block the task.'),
    failuresBeforePause: wholeNumber(1, 100, 3, 'Failed tasks in a row that pause autopilot.'),
  })
  .prefault({})

const check = z.strictObject({
  name: z
    .string()
    .min(1)
    .optional()
    .describe('Name shown to people and agents; the command itself if absent.'),
  command: z.string().min(1).describe('A line for `sh -c`, run at the root of the checkout.'),
  timeout: wholeNumber(1, SECONDS_PER_DAY, 300, 'Seconds until the check counts as failed.'),
  required: z.boolean().default(true).describe('Whether a red result keeps a change from landing.'),
  environments: z
    .record(z.string(), z.record(z.string(), z.string()))
    .default({})
    .describe('Name → variables; the check runs once with each set. Empty: once, without any.'),
})

export interface Check {
  name: string
  command: string
  /** Seconds. */
  timeout: number
  required: boolean
  environments: Record<string, Record<string, string>>
}

/** A check may be written as a bare command line; readers of the configuration see one form only. */
export const verification = z
  .array(z.union([z.string().min(1), check]))
  .max(100)
  .default([])
  .transform((entries): Check[] =>
    entries.map((entry) => {
      const full = typeof entry === 'string' ? check.parse({ command: entry }) : entry
      return { ...full, name: full.name ?? full.command }
    }),
  )
  .describe('Checks that every change must pass: command lines, or objects with name, timeout and required.')

export const workspace = z
  .strictObject({
    setup: z
      .array(z.string().min(1))
      .max(50)
      .default([])
      .describe(
        'Lines for `sh -c` that make a fresh checkout ready, in order; run wherever checks run. `{slot}` as in workspace.variables.',
      ),
    copy: z
      .array(z.string().min(1))
      .max(200)
      .default([])
      .describe('Untracked files to copy into each workspace, such as `.env`. Agents can read them.'),
    variables: z
      .record(z.string(), z.string())
      .default({})
      .describe(
        'Variables for agents and checks; `{slot}` becomes the number of the slot, `{slot+3000}` that number plus 3000.',
      ),
    setupTimeout: wholeNumber(1, SECONDS_PER_DAY, 900, 'Seconds for one set-up command.'),
    retentionDays: wholeNumber(
      0,
      365,
      7,
      'Days that the workspace of a failed task and the home of its agent are kept.',
    ),
  })
  .prefault({})

export const sandbox = z
  .strictObject({
    level: z
      .enum(['auto', 'bwrap', 'unshare', 'process-group'])
      .default('auto')
      .describe(
        '`auto` takes the strongest level that a trial run proves. `process-group` is no sandbox and needs --allow-unsandboxed.',
      ),
    readOnly: z.array(z.string().min(1)).default([]).describe('Further paths that agents may read.'),
    readWrite: z.array(z.string().min(1)).default([]).describe('Further paths that agents may write.'),
    network: z
      .enum(['host', 'proxy', 'none'])
      .default('host')
      .describe('`host`: everything; `proxy`: only the hosts in `allow`; `none`: nothing.'),
    allow: z.array(z.string().min(1)).default([]).describe('Host names that `proxy` lets through.'),
    limits: z
      .strictObject({
        processes: wholeNumber(16, 100_000, 1_024, 'Processes of one agent.'),
        memoryMegabytes: wholeNumber(128, 1_000_000, 8_192, 'Memory of each single process of an agent.'),
        fileMegabytes: wholeNumber(1, 1_000_000, 4_096, 'Size of the largest file that an agent may write.'),
      })
      .prefault({}),
  })
  .prefault({})
