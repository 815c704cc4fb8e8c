import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { AlertBook, addAlert, readAlerts } from './alerts.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'axiom-alerts-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const AT = '2026-03-01T10:00:00.000Z'
const notice = (message: string) => ({ code: 'DISK_LOW', severity: 'high' as const, message })

it('keeps the same alert once, with its last time, and the newest of too many', () => {
  const twice = addAlert(addAlert([], notice('a'), AT), notice('a'), '2026-03-01T11:00:00.000Z')
  expect(twice.map(({ message, at }) => [message, at])).toEqual([['a', '2026-03-01T11:00:00.000Z']])
  const many = Array.from({ length: 60 }, (_, at) => `alert ${at}`)
  const kept = many.reduce<ReturnType<typeof addAlert>>((all, one) => addAlert(all, notice(one), AT), [])
  expect([kept.length, kept[0]?.message, kept.at(-1)?.message]).toEqual([50, 'alert 10', 'alert 59'])
})

it('can be read by another process, and is empty again when a new director sits down', async () => {
  const now = () => Date.parse(AT)
  {
    await using book = new AlertBook(folder, now)
    for (const text of ['a', 'b', 'c']) book.add({ ...notice(text), task: 'task-001' })
  }
  expect(await readAlerts(folder)).toMatchObject([
    { message: 'a', case: 'task-001', agent: null, at: AT },
    { message: 'b' },
    { message: 'c' },
  ])
  {
    await using _next = new AlertBook(folder, now)
  }
  expect(await readAlerts(folder)).toEqual([])
})

it('is empty where there is none, or where it cannot be understood', async () => {
  expect(await readAlerts(folder)).toEqual([])
  {
    await using _book = new AlertBook(folder, Date.now)
  }
  for (const text of ['{', '[1]', '{"a":1}']) {
    writeFileSync(join(folder, 'logs/alerts.json'), text)
    expect(await readAlerts(folder)).toEqual([])
  }
})
