import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')
/** Below node_modules, so that the programs find their packages. */
const BUILT = join(ROOT, 'node_modules/.cache/programs')

/**
 * The path of a program of `test/programs`, compiled by the global set-up. They are started hundreds of times, and a
 * start through a compiler takes four times the processor's time of a plain one.
 */
export function builtProgram(name: string): string {
  return join(BUILT, 'test/programs', name.replace(/\.ts$/, '.js'))
}

/** Once for all workers: one that compiles while another one starts its programs would let it read half a file. */
export function buildPrograms(): void {
  mkdirSync(BUILT, { recursive: true })
  writeFileSync(join(BUILT, 'package.json'), '{"type":"module"}\n')
  const programs = readdirSync(join(ROOT, 'test/programs'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('test/programs', name))
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/typescript/bin/tsc'),
      ...['--ignoreConfig', '--noCheck', '--rewriteRelativeImportExtensions'],
      ...['--outDir', BUILT, '--rootDir', ROOT, '--types', 'node'],
      ...['--target', 'es2022', '--module', 'nodenext', '--moduleResolution', 'nodenext'],
      ...programs,
    ],
    { cwd: ROOT, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`the test programs do not compile:\n${stdout}`)
}
