import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder for one test, gone when it ends. */
export function scratchFolder(...below: readonly string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'axiom-crash-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const folder = join(root, ...below)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** A figure that a reader of the test's output wants to see. */
export function show(text: string): void {
  process.stdout.write(`    ${text}\n`)
}
