import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPreparedFolder, startFirst } from './first-start.ts'
import { listFaults, ROWS } from './rows.ts'

/** Changes a text that must be there. */
const CHANGE = 'change() { grep -q -- "$2" "$1" && sed -i "s|$2|$3|" "$1"; }'

/** Each is done to what was built inside the machine: shell lines in its checkout. */
const FAULTS = [
  [
    'a wrong path is bound',
    'change dist/agents/drivers/sim.js "readOnly: .built." "readOnly: [join(built, String(0))]"',
  ],
  [
    'a mount is missing',
    'change dist/platform/sandbox/mount-plan.js "...readOnly.paths.map(visible)," "/* nothing */"',
  ],
  ['a program cannot be read', 'chmod 0 dist/sim/main.js'],
] as const

let prepared: ReturnType<typeof openPreparedFolder>

beforeAll(() => {
  prepared = openPreparedFolder()
})

afterAll(() => prepared.remove())

describe('the first start of a newcomer', () => {
  const row = ROWS[0]!

  it('is as its row says where nothing is broken', async () => {
    const report = await startFirst({
      machine: row,
      checkout: row.checkout,
      prepared: { folder: prepared.folder, isMadeHere: true },
    })
    expect(listFaults(row, report), report.words).toEqual([])
  })

  it.each(FAULTS)('is red where %s', async (fault, lines) => {
    const report = await startFirst({
      machine: row,
      checkout: row.checkout,
      prepared: { folder: prepared.folder, isMadeHere: false },
      before: `${CHANGE}\n${lines}`,
    })
    const faults = listFaults(row, report)
    process.stdout.write(`${fault}: ${faults.join(', ')}, ${report.seconds.toFixed(0)} s\n`)
    // It came as far as a demo that tells how it ended.
    expect(report.landed, report.words).toBeTypeOf('number')
    expect(faults).not.toEqual([])
  })
})
