import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Measure, Report } from './measure.ts'

const root = resolve(import.meta.dirname, '..')
/** Inside the package, so that the compiled programs find their packages. */
const folder = join(root, 'node_modules/.cache/axiom-bench')

/** Runs measures compiled, as users run AXIOM: the loader of the other benchmarks wraps every function. */
export async function runCompiled(program: string, report: Report): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.bench.json')], { stdio: 'inherit' })
  const words = ['--expose-gc', '--max-old-space-size=12288', join(folder, 'bench', program)]
  const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  for await (const line of createInterface({ input: child.stdout })) report(JSON.parse(line) as Measure)
  const [exitCode] = await closed
  if (exitCode !== 0) throw new Error(`the measures ended with ${exitCode}`)
}
