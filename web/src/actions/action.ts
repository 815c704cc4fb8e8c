import type {
  AgentRow,
  CaseDetail,
  CaseSummary,
  InboxRow,
  PersonCommand,
  ProjectRow,
  ProjectWords,
} from '../../../src/server/contract.ts'

/** What an action is done to. A case that waits for a person comes with what is asked of him. */
export type Subject =
  | { readonly kind: 'project'; readonly project: ProjectRow }
  | { readonly kind: 'agent'; readonly row: AgentRow }
  | { readonly kind: 'case'; readonly row: CaseSummary; readonly decision?: InboxRow }

export type SubjectOf<Kind extends Subject['kind']> = Extract<Subject, { kind: Kind }>

/** What forms offer to choose from, and what they begin with. */
export interface Known {
  readonly words: ProjectWords
  readonly agents: readonly AgentRow[]
  readonly cases: readonly CaseSummary[]
  /** Of the case that is the subject. */
  readonly detail: CaseDetail | undefined
}

export interface Choice {
  readonly value: string
  readonly label: string
}

/** Every value is a text: lists have one entry a line, a flag is `yes` or empty. */
export type Values = Readonly<Record<string, string>>

export interface Field {
  readonly name: string
  readonly label: string
  readonly kind: 'line' | 'prose' | 'lines' | 'choice' | 'many' | 'flag' | 'case'
  readonly required?: true
  readonly hint?: string
  choices?(subject: Subject, known: Known, values: Values): readonly Choice[]
  initial?(subject: Subject, known: Known): string
}

/**
 * One thing that a person can do. Buttons, palette, keys and help are all made from the table of these, so that none
 * of them can know an action that another does not.
 */
export interface Action {
  readonly id: string
  readonly of: Subject['kind']
  /** As it stands on a button. */
  readonly name: string
  /** As it stands in the help. */
  readonly does: string
  /** Does it to the subject that is chosen. */
  readonly key: string
  readonly tone?: 'primary' | 'danger'
  /** Has a button of its own where there is little room; the others stand in a list behind one. */
  readonly prominent?: true
  /** Where a person is afterwards: at the case that was made, or no longer at the one that is gone. */
  readonly afterwards?: 'open' | 'leave'
  /** What a person should know before he does what cannot be taken back. */
  readonly warning?: string
  readonly fields: readonly Field[]
  fits(subject: Subject): boolean
  /** Undefined as long as something is missing. */
  command(subject: Subject, values: Values): PersonCommand | undefined
}

/** An action that was begun, with what it is done to. */
export interface Begun {
  readonly action: Action
  readonly subject: Subject
}

interface Definition<Kind extends Subject['kind']>
  extends Omit<Action, 'of' | 'fits' | 'command' | 'fields'> {
  readonly fields?: readonly Field[]
  fits(subject: SubjectOf<Kind>): boolean
  command(subject: SubjectOf<Kind>, values: Values): PersonCommand | undefined
}

/** Keeps the type of the subject inside one definition while the table forgets it. */
export function actionOf<Kind extends Subject['kind']>(
  of: Kind,
  { fields = [], fits, command, ...rest }: Definition<Kind>,
): Action {
  const isOurs = (subject: Subject): subject is SubjectOf<Kind> => subject.kind === of
  return {
    ...rest,
    of,
    fields,
    fits: (subject) => isOurs(subject) && fits(subject),
    command: (subject, values) =>
      isOurs(subject) && fields.every(({ name, required }) => !required || (values[name] ?? '').trim() !== '')
        ? command(subject, values)
        : undefined,
  }
}

/** Nothing is asked first: pressing it does it. */
export function isDirect({ fields, warning }: Action): boolean {
  return fields.length === 0 && warning === undefined
}

export function textIn(values: Values, name: string): string {
  return (values[name] ?? '').trim()
}

export function linesIn(values: Values, name: string): string[] {
  return (values[name] ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** An optional field of a command: absent when nobody filled it in. */
export function given<Name extends string>(name: Name, value: string): { readonly [Key in Name]?: string } {
  return (value === '' ? {} : { [name]: value }) as { readonly [Key in Name]?: string }
}
