import { Argument, type Command } from 'commander'
import type { CaseType } from '../../../cases/case.ts'
import { oneOf, parseWhole, words } from '../../arguments.ts'
import type { Context } from '../../context.ts'
import { withExamples } from '../../examples.ts'
import { change } from './commit.ts'
import { TYPES } from './words.ts'

/** The commands that change a case's status, type and dependencies, or end it. */
export function defineCaseMoves(command: Command, context: () => Context): void {
  defineStatusMoves(command, context)
  defineTypeMoves(command, context)
  defineDependencies(command, context)
  const deletion = command
    .command('delete <id>')
    .description('mark a case as deleted; its text and history stay')
    .requiredOption('--reason <text>', 'why', words)
    .option('--cascade', 'everything under it, too')
    .action((id: string, { reason, cascade }: { reason: string; cascade?: boolean }) =>
      change(context(), 'delete', id, { kind: 'delete', id, reason, cascade: cascade === true }),
    )
  withExamples(
    deletion,
    'axiom case delete task-003 --reason "duplicate of task-001"',
    'axiom case delete op-002 --reason "not wanted" --cascade',
  )
}

function defineStatusMoves(command: Command, context: () => Context): void {
  const completion = command
    .command('complete <id>')
    .description('make a case done by hand')
    .option('--result <text>', 'what came of it')
    .option('--fence <n>', 'only under this claim', parseWhole)
    .action((id: string, { result, fence }: { result?: string; fence?: number }) =>
      change(context(), 'complete', id, {
        kind: 'complete',
        id,
        ...(result === undefined ? {} : { result }),
        ...(fence === undefined ? {} : { fence }),
      }),
    )
  withExamples(completion, 'axiom case complete task-001 --result "merged by hand"')
  const blocking = command
    .command('block <id>')
    .description('mark a case as blocked')
    .requiredOption('--reason <text>', 'what it waits for', words)
    .action((id: string, { reason }: { reason: string }) =>
      change(context(), 'block', id, { kind: 'move', id, status: 'blocked', reason }),
    )
  withExamples(blocking, 'axiom case block task-001 --reason "needs the API key"')
}

function defineTypeMoves(command: Command, context: () => Context): void {
  const deferral = command
    .command('defer <id>')
    .description('put a case off')
    .option('--reason <text>', 'why', words, 'deferred')
    .action((id: string, { reason }: { reason: string }) =>
      change(context(), 'defer', id, { kind: 'transition', id, type: 'deferred', reason }),
    )
  withExamples(deferral, 'axiom case defer task-004 --reason "after the release"')
  const transition = command
    .command('transition <id>')
    .description('turn a case into another type')
    .addArgument(new Argument('<type>', TYPES.join(', ')).argParser(oneOf(TYPES)))
    .requiredOption('--reason <text>', 'why', words)
    .action((id: string, type: CaseType, { reason }: { reason: string }) =>
      change(context(), 'transition', id, { kind: 'transition', id, type, reason }),
    )
  withExamples(transition, 'axiom case transition draft-002 operation --reason "clear enough to build"')
}

function defineDependencies(command: Command, context: () => Context): void {
  const depending = command
    .command('depend <id> <on>')
    .description('let a case wait for another')
    .action((id: string, on: string) => change(context(), 'depend', id, { kind: 'depend', id, on }))
  withExamples(depending, 'axiom case depend task-002 task-001')
  const undepending = command
    .command('undepend <id> <on>')
    .description('take such a dependency back')
    .action((id: string, on: string) => change(context(), 'undepend', id, { kind: 'undepend', id, on }))
  withExamples(undepending, 'axiom case undepend task-002 task-001')
}
