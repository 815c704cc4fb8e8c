import type { Case } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import {
  PROJECT_QUESTIONS,
  type ProjectQuestion,
  type ProjectQuestionKind,
  projectQuestionOf,
  questionMetadata,
} from '../../project/questions/project-question.ts'
import type { Desk } from '../context.ts'
import type { Snapshot } from '../snapshot.ts'

/** Asks a person about a problem of the whole project: once, however often it occurs. */
export async function raiseQuestion(desk: Desk, matter: ProjectQuestion): Promise<void> {
  const { means } = desk
  const { view, rules } = desk.snapshot()
  const known = view.projectQuestions().filter((subject) => projectQuestionOf(subject)?.kind === matter.kind)
  if (known.some((subject) => projectQuestionOf(subject)?.name === matter.name)) return
  const metadata = questionMetadata(matter, rules.escalation, means.clock.now())
  const { code, question } = PROJECT_QUESTIONS[matter.kind]
  const commands: CaseCommand[] = [
    ...known.filter(isOpen).flatMap((subject) => closing(subject, 'it has become another question')),
    { kind: 'create', type: 'pending', content: question, metadata },
  ]
  await means.store.transact({
    commands,
    by: 'director',
    key: `matter/${matter.kind}/${matter.name}/${known.length}`,
  })
  means.notify({ code, severity: 'high', message: `${question}\n${matter.context}` })
}

/** Closes questions whose reason is gone. */
export async function dropQuestions(desk: Desk, ...kinds: readonly ProjectQuestionKind[]): Promise<void> {
  const over = desk
    .snapshot()
    .view.projectQuestions()
    .filter((subject) => isOpen(subject) && kinds.includes(projectQuestionOf(subject)?.kind ?? 'user-red'))
  if (over.length === 0) return
  const commands = over.flatMap((subject) => closing(subject, 'it has settled itself'))
  await desk.means.store.transact({ commands, by: 'director' })
}

export function hasOpenQuestion({ view }: Snapshot, kind: ProjectQuestionKind): boolean {
  return view
    .projectQuestions()
    .some((subject) => isOpen(subject) && projectQuestionOf(subject)?.kind === kind)
}

export function isOpen({ status }: Case): boolean {
  return status !== 'done'
}

/** Answers an open question in place of the person. With `isFollowed`, nothing is left to be done for it. */
export function closing(subject: Case, decision: string, isFollowed = true): CaseCommand[] {
  const { id, status } = subject
  const matter = projectQuestionOf(subject)
  const followed =
    isFollowed && matter ? { matter: { ...matter, name: `${matter.name}/over`, followed: true } } : {}
  return [
    { kind: 'update', id, metadata: { decision, ...followed }, reason: decision },
    ...(status === 'blocked' ? [{ kind: 'move', id, status: 'pending', reason: decision } as const] : []),
    { kind: 'complete', id, result: decision },
  ]
}
