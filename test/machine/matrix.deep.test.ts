import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DemoReport } from './demo-in-machine.ts'
import { openPreparedFolder, startFirst } from './first-start.ts'
import { listFaults, ROWS, type Row } from './rows.ts'
import { describeKernel, leftOnThisMachine } from './this-machine.ts'

let prepared: ReturnType<typeof openPreparedFolder>
const reports: DemoReport[] = []

beforeAll(() => {
  prepared = openPreparedFolder()
})

afterAll(() => {
  prepared.remove()
  const total = reports.reduce((sum, { seconds }) => sum + seconds, 0)
  process.stdout.write(`${reports.length} machines, ${total.toFixed(0)} s\n`)
})

function describeRow(row: Row, { landed, level, seconds, exitCode }: DemoReport): string {
  const words = [row.name.padEnd(30), row.place.padEnd(8), `${row.openFiles} files`.padEnd(12)]
  const installs = row.installs ? ', with the installation' : ''
  return `${words.join('')}→ landed ${landed ?? '?'} of 6, exit ${exitCode}, ${level}, ${seconds.toFixed(0)} s${installs}`
}

it('the kernel of this machine lets a plain user have namespaces, without which half of the rows could not be tried', () => {
  expect(describeKernel()).toEqual([])
})

describe('the first start of a newcomer', () => {
  it.each(ROWS)('lands 6 of 6 behind the walls that there are: $name', async (row) => {
    const before = leftOnThisMachine()
    const report = await startFirst({
      machine: row,
      checkout: row.checkout,
      prepared: { folder: prepared.folder, isMadeHere: row.installs },
    })
    reports.push(report)
    process.stdout.write(`${describeRow(row, report)}\n`)
    expect(listFaults(row, report), report.words).toEqual([])
    expect(leftOnThisMachine()).toEqual(before)
  })
})
