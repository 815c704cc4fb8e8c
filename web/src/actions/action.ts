import type {
  AgentRow,
  CaseDetail,
  CaseSummary,
  InboxRow,
  PersonCommand,
  ProjectRow,
  ProjectWords,
} from '../../../src/server/contract.ts'

/** The subject of an action. A case that waits for a person includes the open decision. */
export type Subject =
  | { readonly kind: 'project'; readonly project: ProjectRow }
  | { readonly kind: 'agent'; readonly row: AgentRow }
  | { readonly kind: 'case'; readonly row: CaseSummary; readonly decision?: InboxRow }

export type SubjectOf<Kind extends Subject['kind']> = Extract<Subject, { kind: Kind }>

/** The data for the choices and initial values of forms. */
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

/** Every value is a string: a list has one entry per line, a flag is `yes` or empty. */
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
 * One action of the user. Buttons, palette, keys and help are all made from one table of actions, so that
 * they always agree.
 */
export interface Action {
  readonly id: string
  readonly of: Subject['kind']
  /** The label of the button. */
  readonly name: string
  /** The text in the help. */
  readonly does: string
  /** The key that runs it on the selected subject. */
  readonly key: string
  readonly tone?: 'primary' | 'danger'
  /** Has its own button even where space is short; the others are in a menu. */
  readonly prominent?: true
  /** Navigation afterwards: to the case that was created, or away from the one that was removed. */
  readonly afterwards?: 'open' | 'leave'
  /** A warning to confirm before an action that cannot be undone. */
  readonly warning?: string
  readonly fields: readonly Field[]
  fits(subject: Subject): boolean
  /** Undefined while required input is missing. */
  command(subject: Subject, values: Values): PersonCommand | undefined
}

/** An action with an open form, and its subject. */
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

/** Keeps the subject's type inside one definition, although the table erases it. */
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

/** Whether the action runs without a form. */
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

/** An optional field of a command: absent when left empty. */
export function given<Name extends string>(name: Name, value: string): { readonly [Key in Name]?: string } {
  return (value === '' ? {} : { [name]: value }) as { readonly [Key in Name]?: string }
}
