import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Snapshot } from '../../src/server/contract.ts'
import { axeViolations } from './axe.ts'
import { launchChromium, openTab, PATIENCE_MS, type Tab } from './chromium.ts'
import { type DemoProject, type Served, startDemo } from './demo-project.ts'

const DEMO_MS = 540_000
let demo: DemoProject
let served: Served
let browser: Browser
let first: Tab
let second: Tab

beforeAll(async () => {
  demo = await startDemo()
  served = await demo.serve()
  browser = await launchChromium()
  first = await openTab(browser, served)
  second = await openTab(browser, served, { path: '/cases' })
})
afterAll(async () => {
  await browser?.close()
  await demo?.[Symbol.asyncDispose]()
})

async function snapshot(): Promise<Snapshot> {
  const answer = await fetch(`${served.url}/api/snapshot`, {
    headers: { authorization: `Bearer ${served.token}` },
  })
  return (await answer.json()) as Snapshot
}

/** The cases as a page shows them, `task-001 done`, in the order of their ids. */
async function shownOn(page: Page): Promise<string[]> {
  const rows = (await page.evaluate(
    `[...document.querySelectorAll('a[data-selectable]')].map((row) => row.getAttribute('href').split('/').pop() + ' ' + row.lastElementChild.lastElementChild.lastChild.textContent.split(':')[0])`,
  )) as string[]
  return rows.toSorted()
}

async function known(): Promise<string[]> {
  return (await snapshot()).cases.map(({ id, status }) => `${id} ${status}`).toSorted()
}

test('agents appear on the Work page as they start, and one of them tells its progress', async () => {
  await first.page.getByRole('article').first().waitFor({ timeout: DEMO_MS })
  await first.page.locator('article [role=progressbar][aria-valuenow]').first().waitFor({ timeout: DEMO_MS })
  await first.page.getByRole('heading', { name: 'Just now' }).waitFor()
})

test('a server that goes in the middle of the run is told by a banner, and found again by both tabs', async () => {
  const banner = (page: Page) => page.getByRole('alert').filter({ hasText: 'connection to AXIOM is lost' })
  const { url, token } = served
  await served.stop()
  await banner(first.page).waitFor()
  await banner(second.page).waitFor()
  served = await demo.serve()
  expect(served).toMatchObject({ url, token })
  await banner(first.page).waitFor({ state: 'detached' })
  await banner(second.page).waitFor({ state: 'detached' })
})

test('when all has landed, both tabs show the same as the server, though neither was loaded again', async () => {
  expect(await demo.ended).toBe(0)
  await first.page.keyboard.press('g')
  await first.page.keyboard.press('c')
  await first.page.locator('a[data-selectable]').first().waitFor()
  await expect
    .poll(async () => [await shownOn(first.page), await shownOn(second.page)], { timeout: PATIENCE_MS })
    .toEqual([await known(), await known()])
  const tasks = (await known()).filter((row) => row.startsWith('task-'))
  expect(tasks).toEqual([1, 2, 3, 4, 5, 6].map((number) => `task-00${number} done`))
})

test('a finished task shows its change, its log, its history and its reviews', async () => {
  const { page } = first
  await page.goto(`${served.url}/cases/task-003`)
  await page.getByText('review failed').first().waitFor()
  await page.getByRole('tab', { name: 'Diff' }).click()
  await page.getByText('src/monthly.js').first().waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('tab', { name: 'Log' }).click()
  await page.getByLabel('Log', { exact: true }).filter({ hasText: 'complete' }).waitFor()
  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByText('review → done').waitFor()
  await page.goto(`${served.url}/queue`)
  await page.getByRole('heading', { name: 'Landed' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
})

test('what one tab does, the other shows', async () => {
  await first.page.goto(served.url)
  await first.page.getByRole('button', { name: 'Pause', exact: true }).click()
  await first.page.getByRole('button', { name: 'Resume', exact: true }).waitFor()
  await second.page.keyboard.press('g')
  await second.page.keyboard.press('w')
  await second.page.getByRole('button', { name: 'Resume', exact: true }).click()
  await first.page.getByRole('button', { name: 'Pause', exact: true }).waitFor()
})

test('in all of this no page had an error, asked another host or opened a dialog', () => {
  for (const { misdeeds } of [first, second])
    expect(misdeeds).toEqual({ errors: [], foreign: [], dialogs: [] })
})
