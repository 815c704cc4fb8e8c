import type { Case } from '../cases/case.ts'
import { type DeliveryState, newDelivery, readDelivery } from '../delivery/delivery-state.ts'
import type { ReviewFinding } from '../delivery/review-contract.ts'
import { noteText } from '../delivery/take-notes.ts'
import type { Feedback } from '../personas/prompt-input.ts'
import type { Role } from '../signals/definition.ts'
import type { Store } from '../store/store.ts'

/** All findings and notes on a task so far; a missing blob counts as empty. */
export async function readNotes(
  store: Pick<Store, 'getBlob'>,
  task: Pick<Case, 'metadata'>,
): Promise<readonly ReviewFinding[]> {
  const { findings } = deliveryOf(task)
  if (findings === null) return []
  const bytes = await store.getBlob(findings)
  return bytes === undefined ? [] : (JSON.parse(Buffer.from(bytes).toString('utf8')) as ReviewFinding[])
}

/**
 * A task whose delivery cannot be read is shown as if it had just begun; deciding about it is refused
 * elsewhere.
 */
export function deliveryOf(task: Pick<Case, 'metadata'>): DeliveryState {
  const read = readDelivery(task)
  return read.kind === 'read' ? read.delivery : newDelivery()
}

/** Every finding, one entry for each verdict that brought some, the oldest first. */
export function findingFeedback(notes: readonly ReviewFinding[]): Feedback[] {
  const verdicts = new Map<string, ReviewFinding[]>()
  for (const note of notes.filter(({ kind }) => kind === undefined)) {
    const key = `${note.by}\0${note.commit ?? ''}`
    verdicts.set(key, [...(verdicts.get(key) ?? []), note])
  }
  return [...verdicts.values()].map((found, at) => {
    const [first] = found
    const on = first?.commit ? ` on ${first.commit.slice(0, 12)}` : ''
    return {
      kind: 'finding',
      title: `Findings, round ${at + 1} of ${verdicts.size}${on}`,
      origin: first?.by ?? 'a reviewer',
      text: found.map(findingLine).join('\n'),
    }
  })
}

export function findingLine({ file, line, text, criterion }: ReviewFinding): string {
  const place = file === null ? '' : line === null ? `${file}: ` : `${file}:${line}: `
  const about = criterion === null || text.includes(criterion) ? '' : ` (criterion: ${criterion})`
  return `- ${place}${text}${about}`
}

const TITLES: Readonly<Partial<Record<NonNullable<ReviewFinding['kind']>, string>>> = {
  advice: 'Advice of an expert',
  guidance: 'Guidance of the person',
  remark: 'From the director',
  freed: 'The file you waited for',
  refuted: 'What your audit called green is red',
  report: 'What was reported',
  repair: 'What earlier attempts showed',
  evidence: 'What the review before said',
}

/** The notes for a role, in their order; a note that repeats one of the person's answers is left out. */
export function noteFeedback(
  notes: readonly ReviewFinding[],
  role: Role,
  answers: readonly { readonly answer: string }[] = [],
): Feedback[] {
  const answered = new Set(answers.map(({ answer }) => noteText(answer).trim()))
  return notes.flatMap(({ kind, to, text, by }): Feedback[] => {
    const title = kind === undefined || to !== role ? undefined : TITLES[kind]
    const isAnswer = kind === 'guidance' && answered.has(text.trim())
    return title === undefined || isAnswer ? [] : [{ kind: 'finding', title, origin: by, text }]
  })
}
