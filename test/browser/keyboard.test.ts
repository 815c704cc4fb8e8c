import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium, openTab, PATIENCE_MS } from './chromium.ts'
import { scriptedCase, scriptedSnapshot } from './scripted-rows.ts'
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

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const address = () => new URL(page.url()).pathname + new URL(page.url()).search

test('g and a letter lead to every page, ? tells the keys, Escape closes', async () => {
  for (const [letter, name] of [
    ['c', 'Cases'],
    ['i', 'Inbox'],
    ['q', 'Queue'],
    ['h', 'Health'],
    ['w', 'Work'],
  ] as const) {
    await page.keyboard.press('g')
    await page.keyboard.press(letter)
    await heading(name)
  }
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keys' })
  await help.waitFor()
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
})

test('j, k and Enter walk the cases and open one', async () => {
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await page.locator('a[data-selectable]').nth(5).waitFor()
  for (const key of ['j', 'j', 'j', 'j', 'k']) await page.keyboard.press(key)
  await page.keyboard.press('Enter')
  await heading('title of task 1')
  expect(address()).toBe('/cases/task-001')
})

test('the palette finds a case, a page and an action without the mouse', async () => {
  const input = page.getByPlaceholder('A case, a page, an action')
  await page.keyboard.press('Control+k')
  await input.fill('task-007')
  await page.getByRole('option', { name: /task-007/ }).waitFor()
  await page.keyboard.press('Enter')
  await heading('title of task 7')
  await page.keyboard.press('Control+k')
  await input.fill('Semi-auto')
  const before = server.commands.length
  await page.keyboard.press('Enter')
  await expect
    .poll(() => server.commands.slice(before), { timeout: PATIENCE_MS })
    .toEqual([{ kind: 'mode', mode: 'semi-auto' }])
  await page.keyboard.press('Control+k')
  await input.fill('Theme: dark')
  await page.keyboard.press('Enter')
  await page.waitForFunction('document.documentElement.dataset.theme === "dark"')
})

test('an action is reached and pressed with Tab and Enter alone', async () => {
  await page.goto(`${server.url}/cases/task-005`)
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
  const before = server.commands.length
  for (let steps = 0; steps < 40; steps += 1) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate('document.activeElement.textContent')) === 'Approve') break
  }
  await page.keyboard.press('Enter')
  await expect
    .poll(() => server.commands.slice(before), { timeout: PATIENCE_MS })
    .toEqual([{ kind: 'review', task: 'task-005', decision: 'approve' }])
})

test('a change of the server is on the page without a reload', async () => {
  await page.goto(`${server.url}/cases`)
  await page.getByText('14 cases').waitFor()
  server.change({ upserts: { cases: [scriptedCase('task-099', 'a task that came just now')] } })
  await page.getByText('a task that came just now').waitFor()
  server.change({ removes: { cases: ['task-099'] } })
  await page.getByText('a task that came just now').waitFor({ state: 'detached' })
})

test('without its token the page asks for it, and takes it', async () => {
  const context = await browser.newContext()
  const stranger = await context.newPage()
  await stranger.goto(`${server.url}/queue`)
  await stranger.getByLabel('Token').fill(server.token)
  await stranger.getByRole('button', { name: 'Open' }).click()
  await stranger.getByRole('heading', { level: 1, name: 'Queue' }).waitFor({ timeout: PATIENCE_MS })
  await context.close()
})
