import type { Command } from 'commander'
import type { Context } from './context.ts'
import type { RunCommand } from './run-inside.ts'

/** A command module adds its arguments, options, examples and action to the command it is given. */
export interface CommandModule {
  define(command: Command, context: () => Context, runCommand: RunCommand): void
}

export interface CommandEntry {
  readonly name: string
  readonly summary: string
  /** Loaded only when this command is the one that was typed: start-up time is spent on what is used. */
  load(): Promise<CommandModule>
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'demo',
    summary: 'the whole loop on a sample repository, with simulated agents',
    load: () => import('./commands/demo/command.ts'),
  },
  {
    name: 'init',
    summary: 'look at this repository, prove its commands, and set AXIOM up in it',
    load: () => import('./commands/init/command.ts'),
  },
  {
    name: 'doctor',
    summary: 'look at each prerequisite, and say what mends it',
    load: () => import('./commands/doctor/command.ts'),
  },
  {
    name: 'config',
    summary: 'read and change the configuration, and see where a value comes from',
    load: () => import('./commands/config.ts'),
  },
  {
    name: 'plan',
    summary: 'make the cases of a ready plan, and the spec that they cover',
    load: () => import('./commands/plan/command.ts'),
  },
  {
    name: 'run',
    summary: 'have the tasks worked on: developed, proven, reviewed, audited, landed',
    load: () => import('./commands/run/command.ts'),
  },
  {
    name: 'spec',
    summary: 'the spec of a directive: what of it is done, under way and untouched',
    load: () => import('./commands/spec/command.ts'),
  },
  {
    name: 'serve',
    summary: 'show and steer the project in a browser, and answer its API',
    load: () => import('./commands/serve/command.ts'),
  },
  { name: 'status', summary: 'one picture of the project', load: () => import('./commands/status.ts') },
  {
    name: 'watch',
    summary: 'a live picture in the terminal: agents, landing, what waits for you',
    load: () => import('./commands/watch/command.ts'),
  },
  {
    name: 'replay',
    summary: 'a recorded run again, with simulated agents',
    load: () => import('./commands/replay/command.ts'),
  },
  {
    name: 'inbox',
    summary: 'what waits for a person: questions, reviews, escalations',
    load: () => import('./commands/inbox.ts'),
  },
  {
    name: 'answer',
    summary: 'answer a question of the inbox',
    load: () => import('./commands/answer.ts'),
  },
  {
    name: 'review',
    summary: 'look at work that passed critic and auditor: approve it, or send it back',
    load: () => import('./commands/review.ts'),
  },
  {
    name: 'case',
    summary: 'create, change and look at cases',
    load: () => import('./commands/case/command.ts'),
  },
  {
    name: 'store',
    summary: 'verify, compact, export and import the store',
    load: () => import('./commands/store.ts'),
  },
  {
    name: 'signals',
    summary: 'show what the parser sees in what an agent said',
    load: () => import('./commands/signals.ts'),
  },
  {
    name: 'prompt',
    summary: 'the prompt that an agent would get, with its tokens',
    load: () => import('./commands/prompt.ts'),
  },
  {
    name: 'pause',
    summary: 'start no new work, and let agents rest at the end of their iteration',
    load: () => import('./commands/pause.ts'),
  },
  { name: 'resume', summary: 'go on after a pause', load: () => import('./commands/resume.ts') },
  {
    name: 'assign',
    summary: 'have a task taken up next, by any agent or by one',
    load: () => import('./commands/assign.ts'),
  },
  {
    name: 'stop',
    summary: 'end an agent now; its changes are kept',
    load: () => import('./commands/stop.ts'),
  },
  { name: 'tell', summary: 'say something to an agent at work', load: () => import('./commands/tell.ts') },
  {
    name: 'redirect',
    summary: 'take an agent off its task and put it on another',
    load: () => import('./commands/redirect.ts'),
  },
  {
    name: 'retry',
    summary: 'try again what failed, timed out, is blocked or was stopped',
    load: () => import('./commands/retry.ts'),
  },
  {
    name: 'override',
    summary: 'go on over a repair that was given up, or a budget that is spent',
    load: () => import('./commands/override.ts'),
  },
  {
    name: 'queue',
    summary: 'what waits to land, what landed last, and how live work would meet',
    load: () => import('./commands/queue.ts'),
  },
  {
    name: 'why',
    summary: 'from a line of code back to the need it serves',
    load: () => import('./commands/why/command.ts'),
  },
  {
    name: 'rescue',
    summary: 'what was saved before it could be lost, and how to get it back',
    load: () => import('./commands/rescue.ts'),
  },
  {
    name: 'checkpoint',
    summary: 'mark the target and the cases as they are now',
    load: () => import('./commands/checkpoint.ts'),
  },
  {
    name: 'rollback',
    summary: 'bring branch and cases back to a checkpoint, after saying what will be lost',
    load: () => import('./commands/rollback.ts'),
  },
  {
    name: 'metrics',
    summary: 'what was done, what it cost, and what it will cost',
    load: () => import('./commands/metrics/command.ts'),
  },
  {
    name: 'logs',
    summary: 'what the runs of a task did, or what an agent printed',
    load: () => import('./commands/logs/command.ts'),
  },
]
