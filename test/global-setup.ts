import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { buildPrograms } from './crash/build-programs.ts'

const DONE = Symbol.for('axiom.tests.prepared')

/** Before any worker of a long suite starts: the built program and the programs of the tests are up to date. */
export function setup(): void {
  const shared = globalThis as { [DONE]?: boolean }
  if (shared[DONE]) return
  const script = resolve(import.meta.dirname, '../scripts/prepare.mjs')
  const { status } = spawnSync(process.execPath, [script], { stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error('AXIOM could not be built; what was said stands above')
  buildPrograms()
  shared[DONE] = true
}
