import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fill, type Rig, startRig } from '../server/rig.ts'
import { launchChromium, openTab, PATIENCE_MS } from './chromium.ts'
import { scriptedCase, scriptedSnapshot } from './scripted-rows.ts'
import { PAGES, startScripted } from './scripted-server.ts'

const WAIT = { timeout: PATIENCE_MS }
const CASES = 20_000
let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser?.close())

const signIn = ({ server, token }: Rig) => ({ url: server.url, token })

test('an empty project names the next command on every page, and leads a beginner step by step', async () => {
  const rig = await startRig({ pagesFolder: PAGES })
  try {
    const { page } = await openTab(browser, signIn(rig))
    for (const path of ['/', '/cases', '/inbox', '/queue', '/health']) {
      await page.goto(`${rig.server.url}${path}`)
      await page
        .locator('main code')
        .filter({ hasText: /^axiom / })
        .first()
        .waitFor()
    }
    await page.goto(rig.server.url)
    const steps = page.getByRole('region', { name: 'There is nothing to do yet' }).getByRole('listitem')
    await steps.nth(3).waitFor()
    expect(await steps.count()).toBe(4)
    expect((await steps.allTextContents()).map((text) => text.includes('done'))).toEqual([
      true,
      false,
      false,
      false,
    ])
    await fill(rig.store, 1)
    await page.getByText('Nobody is at work').waitFor()
    for (const tab of ['diff', 'log']) {
      await page.goto(`${rig.server.url}/cases/task-001?tab=${tab}`)
      await page.getByText(tab === 'log' ? 'axiom logs task-001' : 'There is no change to show yet').waitFor()
    }
    await page.context().close()
  } finally {
    await rig[Symbol.asyncDispose]()
  }
})

const scroll = 'document.querySelector("section[aria-label=Log]")'
const shows = async (page: Page, line: string) =>
  String(await page.evaluate(`${scroll}.textContent`)).includes(line)
const topOf = async (page: Page) => Number(await page.evaluate(`${scroll}.scrollTop`))

test('a log is followed to its end, until one scrolls, and again when one asks for it', async () => {
  const rig = await startRig({ pagesFolder: PAGES })
  try {
    await fill(rig.store, 1)
    const folder = join(rig.folder, 'agents/echo/logs')
    mkdirSync(folder, { recursive: true })
    const log = join(folder, 'task-001.jsonl')
    const lines = (from: number) =>
      Array.from({ length: 200 }, (_, at) => `line ${from + at} of it\n`).join('')
    writeFileSync(log, lines(0))
    const { page } = await openTab(browser, signIn(rig), { path: '/cases/task-001?tab=log' })
    await expect.poll(() => shows(page, 'line 199 of it'), WAIT).toBe(true)
    appendFileSync(log, lines(200))
    await expect.poll(() => shows(page, 'line 399 of it'), WAIT).toBe(true)
    await page.evaluate(`${scroll}.scrollTop = 1000`)
    await page.getByRole('button', { name: 'follow the end' }).waitFor()
    const top = await topOf(page)
    appendFileSync(log, lines(400))
    // The text is longer by then, and the eye is where it was.
    const height = `${scroll}.scrollHeight`
    await expect.poll(async () => Number(await page.evaluate(height)), WAIT).toBeGreaterThan(599 * 18)
    expect(await topOf(page)).toBe(top)
    expect(await shows(page, 'line 599 of it')).toBe(false)
    await page.getByRole('button', { name: 'follow the end' }).click()
    await expect.poll(() => shows(page, 'line 599 of it'), WAIT).toBe(true)
    await page.context().close()
  } finally {
    await rig[Symbol.asyncDispose]()
  }
})

test('a list of 20,000 cases holds a screenful of rows, and scrolls to its end', async () => {
  const say = (place: string) => place
  const cases = Array.from({ length: CASES }, (_, at) =>
    scriptedCase(`task-${at + 1}`, `case number ${at + 1}`),
  )
  await using server = await startScripted({ rows: () => ({ ...scriptedSnapshot(say), cases }), say })
  const { page } = await openTab(browser, server, { path: '/cases?view=list' })
  await page.getByText('20000 cases').waitFor()
  const rows = page.locator('a[data-selectable]')
  await rows.first().waitFor()
  expect(await rows.count()).toBeLessThan(100)
  await page.getByLabel('List of cases').focus()
  await page.keyboard.press('End')
  await page.getByText('case number 20000', { exact: true }).waitFor()
  expect(await rows.count()).toBeLessThan(100)
  await page.getByLabel('Search', { exact: true }).fill('number 12345')
  await page.getByText('1 of 20000 cases').waitFor()
  await page.context().close()
})

test('nothing moves for those who asked for that', async () => {
  const say = (place: string) => place
  await using server = await startScripted({ rows: () => scriptedSnapshot(say), say })
  const moving =
    '[...document.querySelectorAll("*")].filter((one) => !["none", "all", ""].includes(getComputedStyle(one).transitionProperty) || getComputedStyle(one).animationName !== "none").length'
  const { page } = await openTab(browser, server)
  await page.locator('article').first().waitFor()
  await expect.poll(() => page.evaluate(moving), WAIT).toBe(0)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await expect.poll(() => page.evaluate(moving), WAIT).toBeGreaterThan(0)
  await page.context().close()
})
