// `npm run check`: all checks that a change must pass, in parallel, with the output of those that failed.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = (name) => join(root, 'node_modules/.bin', name)
const started = Date.now()

/** Runs one tool and keeps its output, shown only when it fails. */
function run(name, program, args) {
  return new Promise((resolve) => {
    const begun = Date.now()
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1' },
    })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => resolve({ name, ok: false, output: String(error) }))
    child.on('close', (code) => {
      console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`)
      resolve({ name, ok: code === 0, output })
    })
  })
}

const results = await Promise.all([
  run('format and lint', bin('biome'), ['check', '--error-on-warnings', '.']),
  run('types', bin('tsc'), ['-p', 'tsconfig.json']),
  run('types of the pages', bin('tsc'), ['-p', 'web/tsconfig.json']),
  run('dead code', bin('knip'), ['--no-progress']),
  ...(process.argv.includes('--no-tests')
    ? []
    : [run('tests', bin('vitest'), ['run', '--project', 'unit', '--reporter', 'dot'])]),
])
for (const { name, ok, output } of results) {
  // The progress dots are useless once the run is over.
  const told = output.replace(/^[·x.-]{20,}$/gm, '').trim()
  if (!ok) console.log(`\n──── ${name} ────\n${told}`)
  else if (name === 'tests') console.log(told.split('\n').slice(-4).join('\n'))
}
console.log(`${((Date.now() - started) / 1000).toFixed(1)} s`)
process.exit(results.every(({ ok }) => ok) ? 0 : 1)
