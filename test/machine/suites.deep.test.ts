import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPreparedFolder } from './first-start.ts'
import { runInMachine } from './machine.ts'
import { ROWS } from './rows.ts'

const MS_MAX = 420_000
/** Suites that need a program which is not there, and one that needs none. */
const SUITES = 'sandbox browser process'

let prepared: ReturnType<typeof openPreparedFolder>

beforeAll(() => {
  prepared = openPreparedFolder()
})

afterAll(() => prepared.remove())

it('a newcomer runs the suites that his machine can run, is told of the others, and CI fails for them', async () => {
  const machine = ROWS[0]!
  const end = await runInMachine({
    machine,
    kept: prepared.folder,
    timeoutMs: MS_MAX,
    script: [
      'set -e',
      'git clone --quiet -c advice.detachedHead=false /media/kept/bundle "$HOME/axiom"',
      'cd "$HOME/axiom"',
      `npm test -- ${SUITES}`,
      'echo "FIRST ENDED"',
      `CI=true npm test -- sandbox || echo "CI ENDED WITH $?"`,
    ].join('\n'),
  })
  const said = `${end.stdout}\n${end.stderr}`
  expect(said).toContain('bubblewrap is missing and cannot be installed here')
  for (const [suite, need] of [
    ['sandbox', 'bubblewrap'],
    ['browser', 'chromium'],
  ])
    expect(end.stdout).toContain(`not run: ${suite}: ${need} missing (apt-get install ${need})`)
  expect(end.stdout, said.slice(-8_000)).toMatch(/^\d{2,} passed, 0 failed$/m)
  expect(end.stdout).toContain('FIRST ENDED')
  expect(end.stdout).toContain('CI ENDED WITH 1')
  process.stdout.write(`${SUITES} in a fresh machine: ${end.seconds.toFixed(0)} s\n`)
})
