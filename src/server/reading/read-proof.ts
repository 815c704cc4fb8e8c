import type { Case } from '../../cases/case.ts'
import { count, fields } from '../../events/task-standing.ts'
import type { Store } from '../../store/store.ts'
import type { Proof } from '../contract.ts'
import { listOf, readJsonBlob, text } from './loose-values.ts'

/** How much of a check's output is shown; the evidence has all of it. */
const OUTPUT_CHARACTERS_MAX = 4_000

/** The proof of the last completion, from the blob that the run's end names. */
export async function readProof(store: Store, task: Case): Promise<Proof | null> {
  const { evidence } = fields(task.metadata.run)
  const whole = fields(await readJsonBlob(store, evidence))
  const proof = fields(whole.proof)
  if (typeof evidence !== 'string' || typeof proof.commit !== 'string') return null
  return {
    commit: proof.commit,
    tree: text(proof.tree),
    at: typeof proof.provenAtMs === 'number' ? new Date(proof.provenAtMs).toISOString() : null,
    checks: listOf(whole.checks).map((check) => ({
      name: text(check.name),
      command: text(check.command),
      passed: check.code === undefined || check.code === null,
      flaky: check.flaky === true,
      tests: testsOf(check.tests),
      durationMs: count(check.durationMs),
      output: text(check.output).slice(-OUTPUT_CHARACTERS_MAX),
    })),
    empty: whole.empty === true,
    evidence,
  }
}

function testsOf(value: unknown): number | null {
  const { passed, failed } = fields(value)
  return typeof passed === 'number' ? passed + count(failed) : null
}
