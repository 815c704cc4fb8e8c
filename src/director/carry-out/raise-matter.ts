import type { Case } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import { MATTERS, type Matter, type MatterKind, matterMetadata, matterOf } from '../matters.ts'
import type { Scene } from '../scene.ts'
import type { Desk } from './carry-out.ts'

/** Puts a trouble of the whole project before a person: once, however often it is met. */
export async function raiseMatter(desk: Desk, matter: Matter): Promise<void> {
  const { means } = desk
  const { view, rules } = desk.scene()
  const known = view.matters().filter((subject) => matterOf(subject)?.kind === matter.kind)
  if (known.some((subject) => matterOf(subject)?.name === matter.name)) return
  const metadata = matterMetadata(matter, rules.escalation, means.clock.now())
  const { code, question } = MATTERS[matter.kind]
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

/** Closes what is no longer so. */
export async function dropMatters(desk: Desk, ...kinds: readonly MatterKind[]): Promise<void> {
  const over = desk
    .scene()
    .view.matters()
    .filter((subject) => isOpen(subject) && kinds.includes(matterOf(subject)?.kind ?? 'user-red'))
  if (over.length === 0) return
  const commands = over.flatMap((subject) => closing(subject, 'it has settled itself'))
  await desk.means.store.transact({ commands, by: 'director' })
}

export function hasOpenMatter({ view }: Scene, kind: MatterKind): boolean {
  return view.matters().some((subject) => isOpen(subject) && matterOf(subject)?.kind === kind)
}

export function isOpen({ status }: Case): boolean {
  return status !== 'done'
}

/** Answers a question for whoever did not. What needs no answer has been followed. */
export function closing(subject: Case, decision: string, isFollowed = true): CaseCommand[] {
  const { id, status } = subject
  const matter = matterOf(subject)
  const followed =
    isFollowed && matter ? { matter: { ...matter, name: `${matter.name}/over`, followed: true } } : {}
  return [
    { kind: 'update', id, metadata: { decision, ...followed }, reason: decision },
    ...(status === 'blocked' ? [{ kind: 'move', id, status: 'pending', reason: decision } as const] : []),
    { kind: 'complete', id, result: decision },
  ]
}
