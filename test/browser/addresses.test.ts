import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium, openTab } from './chromium.ts'
import { scriptedSnapshot } from './scripted-rows.ts'
import { type ScriptedServer, startScripted } from './scripted-server.ts'

const say = (place: string) => place
let browser: Browser
let server: ScriptedServer
let page: Page

beforeAll(async () => {
  server = await startScripted({ rows: () => scriptedSnapshot(say), say })
  browser = await launchChromium()
  ;({ page } = await openTab(browser, server))
})
afterAll(async () => {
  await browser?.close()
  await server?.[Symbol.asyncDispose]()
})

const choose = (label: string, value: string) => page.getByLabel(label, { exact: true }).selectOption(value)
const chosen = (label: string) => page.getByLabel(label, { exact: true }).inputValue()
const parameter = (name: string) => new URL(page.url()).searchParams.get(name)

/** What a page shows, so that it can be compared with what it shows after a reload. */
const shown = async () => ((await page.locator('main').textContent()) ?? '').replaceAll(/\s+/g, ' ')

/** What it shows when nothing more comes. */
async function settled(): Promise<string> {
  let last = ''
  await expect
    .poll(async () => {
      const before = last
      last = await shown()
      return last === before
    }, QUIETLY)
    .toBe(true)
  return last
}

const QUIETLY = { interval: 300, timeout: 30_000 }

/** Loads the address anew, and sees the same as before. */
async function survivesReload(mark: string): Promise<void> {
  await page.getByText(mark).first().waitFor()
  const before = await settled()
  await page.reload()
  await page.getByText(mark).first().waitFor()
  await expect.poll(shown, QUIETLY).toBe(before)
}

test('every filter of the cases stands in the address, survives a reload, and is undone by going back', async () => {
  await page.goto(`${server.url}/cases`)
  await page.getByText('14 cases').waitFor()
  await choose('Type', 'task')
  await page.getByText('10 of 14 cases').waitFor()
  await choose('Tag', 'core')
  await page.getByText('5 of 14 cases').waitFor()
  await choose('Status', 'failed')
  await page.getByText('1 of 14 cases').waitFor()
  await choose('View', 'list')
  await page.getByLabel('Search', { exact: true }).pressSequentially('task 9')
  await expect.poll(() => parameter('text')).toBe('task 9')
  await survivesReload('1 of 14 cases')
  expect([await chosen('Type'), await chosen('Tag'), await chosen('Status'), await chosen('View')]).toEqual([
    'task',
    'core',
    'failed',
    'list',
  ])
  expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('task 9')
  await page.goBack()
  await expect.poll(() => page.getByLabel('Search', { exact: true }).inputValue()).toBe('')
  await page.goBack()
  await expect.poll(() => chosen('View')).toBe('tree')
  await page.goBack()
  await page.getByText('5 of 14 cases').waitFor()
  await page.goForward()
  await page.getByText('1 of 14 cases').waitFor()
})

test('the kind that the inbox shows stands in the address', async () => {
  await page.goto(`${server.url}/inbox`)
  await page.getByText('question review').waitFor()
  await choose('Show', 'repair')
  await page.getByText('question review').waitFor({ state: 'detached' })
  expect(parameter('kind')).toBe('repair')
  await survivesReload('question repair')
  await choose('Show', 'alert')
  await page.getByText('alert critical').waitFor()
  expect(await page.getByText('question repair').count()).toBe(0)
  await page.goBack()
  await page.getByText('question repair').waitFor()
  await page.goBack()
  await page.getByText('question review').waitFor()
})

test('part, log and commit of a case stand in the address', async () => {
  await page.goto(`${server.url}/cases/task-003`)
  await page.getByRole('tab', { name: 'Log' }).click()
  await page.getByText('line in the log').first().waitFor()
  await choose('File', 'critic/task-003.jsonl')
  await expect.poll(() => parameter('log')).toBe('critic/task-003.jsonl')
  await survivesReload('line in the log')
  expect(await chosen('File')).toBe('critic/task-003.jsonl')
  await page.getByRole('tab', { name: 'Diff' }).click()
  await choose('Of', 'c'.repeat(40))
  await expect.poll(() => parameter('commit')).toBe('c'.repeat(40))
  await survivesReload('line that comes')
  expect(await chosen('Of')).toBe('c'.repeat(40))
  await page.goBack()
  await expect.poll(() => chosen('Of')).toBe('')
  await page.goBack()
  await expect.poll(() => parameter('tab')).toBe('log')
})

test('an agent has an address, which chooses its card', async () => {
  await page.goto(`${server.url}/?agent=echo-004`)
  const isChosen = 'document.activeElement.getAttribute("data-subject")'
  await expect.poll(() => page.evaluate(isChosen)).toBe('agent:echo-004')
  await page.getByRole('link', { name: 'echo-002', exact: true }).click()
  await expect.poll(() => page.evaluate(isChosen)).toBe('agent:echo-002')
  expect(parameter('agent')).toBe('echo-002')
  await page.goBack()
  await expect.poll(() => page.evaluate(isChosen)).toBe('agent:echo-004')
})
