import { type SpecProgress, tellProgress } from '../../canvas/spec-progress.ts'
import { type Case, type CaseId, isDone } from '../../cases/case.ts'
import { Failure, systemCode } from '../../platform/failure.ts'
import type { Desk, Means } from '../context.ts'
import { agentsAtWork, type Snapshot } from '../snapshot.ts'
import { type Chore, hasPassed, isWanted, lastRunMs } from './chore.ts'

const VERSION = 1
/** What marked a directive as satisfied: a person's own mark stays. */
const MARKED_BY_KEY = 'satisfiedBy'
const MARKER = 'director'

const NAME = 'write-spec-progress'
/** Cases change constantly while agents work, but people read the specs only now and then. */
const EVERY_MS = 2_000

/** Writes the progress of every spec, and marks the directives that are satisfied. */
export const writeSpecProgress: Chore = {
  name: NAME,
  // Changes by the last agents at work are written at once.
  isDue: (snapshot) =>
    snapshot.view.hasDirectives() &&
    isBehind(snapshot) &&
    (hasPassed(snapshot, NAME, EVERY_MS) || agentsAtWork(snapshot) === 0),
  nextAt: (snapshot) => (isBehind(snapshot) ? lastRunMs(snapshot, NAME) + EVERY_MS : undefined),
  run: writeProgress,
}

function isBehind(snapshot: Snapshot): boolean {
  return isWanted(snapshot, NAME) || snapshot.view.version !== snapshot.memory.toldVersion
}

async function writeProgress(desk: Desk): Promise<void> {
  const { means } = desk
  const { view } = desk.snapshot()
  desk.remember({ toldVersion: view.version })
  const specs: Record<CaseId, SpecProgress> = {}
  for (const directive of [...view.directives()]) {
    const cases = view.under(directive.id)
    const spec = await readSpec(means, directive)
    if (spec) specs[directive.id] = tellProgress(spec, cases).progress
    await mark(means, directive, isSatisfied(cases, specs[directive.id]))
  }
  await keep(means, `${JSON.stringify({ version: VERSION, specs }, null, 1)}\n`)
}

/**
 * All text of its spec is done or deferred, and no work on it is left. Without a spec only the cases can
 * decide: all of them have to be done or deferred.
 */
function isSatisfied(cases: readonly Case[], progress: SpecProgress | undefined): boolean {
  const counting = progress
    ? cases.filter(({ type }) => type === 'operation')
    : cases.filter(({ type }) => type !== 'discovery')
  const isMet = progress?.satisfied ?? counting.some(({ type }) => type === 'operation')
  return isMet && counting.every((subject) => subject.type === 'deferred' || isDone(subject))
}

async function mark({ store }: Means, { id, rev, metadata }: Case, satisfied: boolean): Promise<void> {
  const isMarked = metadata.satisfied === true
  if (isMarked === satisfied || (isMarked && metadata[MARKED_BY_KEY] !== MARKER)) return
  const reason = satisfied ? 'its need is met' : 'there is more to be done for its need'
  const change = { satisfied, [MARKED_BY_KEY]: satisfied ? MARKER : null }
  // Changed in the meantime: the next run checks it again.
  await store.transact({
    commands: [{ kind: 'update', id, metadata: change, reason }],
    by: MARKER,
    expect: { [id]: rev },
  })
}

/** A document that cannot be read is treated as missing; work does not wait for it. */
async function readSpec(means: Means, directive: Case) {
  try {
    return await means.hands.specs?.read(directive)
  } catch (error) {
    tell(means, `the spec of ${directive.id} cannot be read`, error)
    return undefined
  }
}

async function keep(means: Means, text: string): Promise<void> {
  try {
    await means.hands.specs?.keepProgress(text)
  } catch (error) {
    tell(means, 'specs/progress.json cannot be written', error)
  }
}

function tell({ notify }: Means, what: string, error: unknown): void {
  if (!(error instanceof Failure) && systemCode(error) === '') throw error
  const why = error instanceof Failure ? error.message : systemCode(error)
  notify({ code: 'SPEC_PROGRESS_FAILED', severity: 'medium', message: `${what}: ${why}` })
}
