import type { CaseChange, Deciding, LineComment, PersonCommand, Steering } from './contract.ts'

/**
 * The command line for the same action. Also runs in the browser: every action can be copied as a command.
 */
export function commandLineOf(command: PersonCommand): string {
  return ['axiom', ...wordsOf(command).map(quote)].join(' ')
}

function wordsOf(command: PersonCommand): readonly string[] {
  switch (command.kind) {
    case 'comment':
      return ['review', command.task, 'changes', '--note', noteOf(command.comments)]
    case 'answer':
    case 'review':
    case 'retry':
    case 'override':
    case 'halt':
      return decidingWords(command)
    case 'pause':
    case 'resume':
    case 'mode':
    case 'assign':
    case 'stop':
    case 'tell':
    case 'redirect':
      return steeringWords(command)
    default:
      return ['case', ...changeWords(command)]
  }
}

function steeringWords(command: Steering): readonly string[] {
  switch (command.kind) {
    case 'pause':
      return ['pause', ...some(command.agent), ...option('--reason', command.reason)]
    case 'resume':
      return ['resume', ...some(command.agent)]
    case 'mode':
      return command.mode === 'autopilot' ? autopilotWords(command) : ['run']
    case 'assign':
      return ['assign', command.task, ...some(command.agent)]
    case 'stop':
      return ['stop', command.agent]
    case 'tell':
      return ['tell', command.agent, command.text]
    case 'redirect':
      return ['redirect', command.agent, command.task]
  }
}

function autopilotWords({ until, tags = [] }: Extract<Steering, { kind: 'mode' }>): string[] {
  return ['run', '--autopilot', ...option('--until', until), ...tags.flatMap((tag) => ['--tag', tag])]
}

function decidingWords(command: Deciding): readonly string[] {
  switch (command.kind) {
    case 'answer':
      return ['answer', command.case, command.text, ...(command.stands ? ['--always'] : [])]
    case 'review':
      return ['review', command.task, command.decision, ...reviewOptions(command)]
    case 'retry':
      return ['retry', command.task, ...option('--note', command.guidance)]
    case 'override':
      return ['override', command.case, ...option('--reason', command.reason)]
    case 'halt':
      return ['answer', command.task, 'halt']
  }
}

function reviewOptions(review: Extract<Deciding, { kind: 'review' }>): readonly string[] {
  if (review.decision === 'approve') return option('--note', review.note)
  const { note, issues = [], comments = [], start } = review
  const whole = [note, noteOf(comments)].filter((part) => part !== '').join('\n')
  return [
    ...option('--note', whole),
    ...issues.flatMap((issue) => ['--issue', issue]),
    ...option('--option', start),
  ]
}

function changeWords(command: CaseChange): readonly string[] {
  switch (command.kind) {
    case 'create':
      return [
        ...['create', '--type', command.type, ...option('--parent', command.parentId)],
        ...['--content', command.content],
        ...(command.criteria ?? []).flatMap((text) => ['--criterion', text]),
        ...(command.dependsOn ?? []).flatMap((id) => ['--depends', id]),
        ...(command.tags ?? []).flatMap((tag) => ['--tag', tag]),
      ]
    case 'edit':
      return [
        ...['update', command.case, ...option('--content', command.content)],
        ...(command.criteria ?? []).flatMap((text) => ['--criterion', text]),
        ...(command.tags ?? []).flatMap((tag) => ['--tag', tag]),
      ]
    case 'depend':
    case 'undepend':
      return [command.kind, command.case, command.on]
    case 'complete':
      return ['complete', command.case]
    case 'block':
      return ['block', command.case, '--reason', command.reason]
    case 'unblock':
      return ['update', command.case, '--status', 'pending', ...option('--reason', command.reason)]
    case 'delete':
      return ['delete', command.case, '--reason', command.reason, ...(command.cascade ? ['--cascade'] : [])]
    case 'defer':
      return ['defer', command.case, '--reason', command.reason]
    case 'transition':
      return ['transition', command.case, command.type, '--reason', command.reason]
  }
}

/** Line comments as one text, each with its location. */
export function noteOf(comments: readonly LineComment[]): string {
  return comments
    .map(({ file, line, side, text }) => `${file}:${line}${side === 'old' ? ' (removed)' : ''}: ${text}`)
    .join('\n')
}

function some(value: string | undefined): readonly string[] {
  return value === undefined ? [] : [value]
}

function option(name: string, value: string | undefined): readonly string[] {
  return value === undefined || value === '' ? [] : [name, value]
}

/** For a POSIX shell; a word without special characters is not quoted. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
