// Runs the measures of the store compiled, as users run it: the loader of the other benchmarks wraps every function.
import { execFileSync, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Measure, Report } from './measure.ts'

const root = resolve(import.meta.dirname, '..')
/** Inside the package, so that the compiled programs find their packages. */
const folder = join(root, 'node_modules/.cache/axiom-bench')

export async function run(report: Report): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.bench.json')], { stdio: 'inherit' })
  const program = join(folder, 'bench/store-measures.js')
  const child = spawn(process.execPath, ['--expose-gc', '--max-old-space-size=12288', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) report(JSON.parse(line) as Measure)
  if (child.exitCode !== 0 && child.exitCode !== null)
    throw new Error(`the measures ended with ${child.exitCode}`)
}
