import type { Case } from '../../cases/case.ts'
import { fields } from '../../events/task-standing.ts'
import type { Store } from '../../store/store.ts'
import type { Criterion, Evidence } from '../contract.ts'
import { type Loose, listOf, listOfTexts, readJsonBlob, text, textOrNull } from './loose-values.ts'

/** The criteria of a case, each with the last auditor's judgement. */
export async function readCriteria(store: Store, subject: Case): Promise<Criterion[]> {
  const criteria = listOfTexts(subject.metadata.acceptanceCriteria)
  if (criteria.length === 0) return []
  const words = fields(fields(subject.metadata.words).auditor)
  const said = fields(await readJsonBlob(store, words.digest))
  const body = fields(said.body)
  const judged = [
    ...listOf(body.criteria).map((entry) => ({ entry, met: true })),
    ...listOf(body.failedCriteria).map((entry) => ({ entry, met: false })),
  ]
  return criteria.map((wanted, at) => {
    const found = judged.filter(({ entry }) => isAbout(text(entry.criterion), wanted, at + 1))
    const last = found.at(-1)
    return {
      text: wanted,
      state: last === undefined ? 'unjudged' : last.met ? 'met' : 'unmet',
      evidence: found.map(({ entry }) => evidenceOf(entry, textOrNull(words.commit))),
    }
  })
}

function evidenceOf({ evidence }: Loose, commit: string | null): Evidence {
  return { by: 'auditor', text: text(evidence), commit }
}

/** Prompts number the criteria C1, C2, …; an auditor gives the number or rephrases the criterion. */
const NUMBERED = /^\W*C(\d+)\b/

function isAbout(said: string, criterion: string, number: number): boolean {
  const numbered = NUMBERED.exec(said)
  if (numbered) return Number(numbered[1]) === number
  const [a, b] = [letters(said), letters(criterion)]
  return a !== '' && (a === b || b.includes(a) || a.includes(b))
}

function letters(words: string): string {
  return words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
