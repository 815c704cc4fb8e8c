import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Rig } from '../server/rig.ts'
import { launchChromium, openTab, type Tab } from './chromium.ts'
import { harmIn, NO_HARM } from './harm-in.ts'
import { startHostileProject } from './hostile-project.ts'

let browser: Browser
let rig: Rig
let tab: Tab
let page: Page

beforeAll(async () => {
  rig = await startHostileProject()
  browser = await launchChromium()
  tab = await openTab(browser, { url: rig.server.url, token: rig.token })
  page = tab.page
})
afterAll(async () => {
  await browser?.close()
  await rig?.[Symbol.asyncDispose]()
})

/** Each page, something that is there when it is drawn, and words that show that hostile text really arrived. */
const PLACES: readonly (readonly [path: string, shown: string, words: readonly string[]])[] = [
  ['/', 'article', ['pause', 'task 1']],
  ['/cases', 'a[data-selectable]', ['need', 'operation', 'discovery', 'task 3']],
  ['/cases?view=board', 'section[aria-label="Needs you"]', ['task 1']],
  ['/cases/dir-001', 'section:has-text("What is wanted")', ['need']],
  [
    '/cases/task-001',
    'section:has-text("Review")',
    ['task 1', 'criterion', 'evidence', 'finding', 'advice', 'loose advice', 'check', 'end', 'agent'],
  ],
  ['/cases/task-001?tab=diff', 'details:has-text("kept.js")', ['changed', 'onerror=', '∕∕foreign.invalid']],
  ['/cases/task-001?tab=log', 'section[aria-label="Log"] div div', ['window.executed']],
  [
    '/cases/task-001?tab=log&log=echo%2Fecho-001-task-001.log',
    'section[aria-label="Log"] div div',
    ['window.executed'],
  ],
  ['/cases/task-001?tab=history', 'time', ['reason']],
  ['/cases/task-003', 'section:has-text("What is wanted")', ['task 3']],
  ['/cases/pend-001', 'section:has-text("What is wanted")', ['pending']],
  ['/cases/disc-001', 'section:has-text("What is wanted")', ['discovery']],
  ['/inbox', 'li[data-selectable]', ['question', 'context', 'option', 'critical', 'attempt']],
  ['/queue', 'h2', ['foreign.invalid']],
  ['/health', 'tbody tr', ['low', 'critical', 'value', 'detail']],
]

test.each(PLACES)('what is written for %s stays text', async (path, shown, words) => {
  await page.goto(`${rig.server.url}${path}`)
  await page.locator(shown).first().waitFor()
  for (const word of words) await page.getByText(word).first().waitFor({ state: 'attached' })
  await expect
    .poll(() => page.locator('body').textContent(), { timeout: 30_000 })
    .toContain('foreign.invalid')
  expect(await harmIn(page)).toEqual(NO_HARM)
})

test('nor does it become more in a form, in the palette or in a toast', async () => {
  await page.goto(`${rig.server.url}/cases/task-003`)
  await page.getByRole('button', { name: 'Edit…' }).waitFor()
  await page.keyboard.press('e')
  const form = page.getByRole('dialog').locator('form')
  await form.waitFor()
  expect(await form.locator('textarea').first().inputValue()).toContain('window.executed')
  expect(await harmIn(page)).toEqual(NO_HARM)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('A case, a page, an action').fill('task-00')
  await page.getByRole('option', { name: /task-001/ }).waitFor()
  expect(await harmIn(page)).toEqual(NO_HARM)
})

test('nothing of it ran, asked another host, opened a dialog or broke a page', () => {
  expect(tab.misdeeds).toEqual({ errors: [], foreign: [], dialogs: [] })
  expect(rig.troubles).toEqual([])
})
