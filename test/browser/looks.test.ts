import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALL_PAGES } from './all-pages.ts'
import { axeViolations } from './axe.ts'
import { launchChromium, openTab, THEMES } from './chromium.ts'
import { scriptedSnapshot } from './scripted-rows.ts'
import { type ScriptedServer, startScripted } from './scripted-server.ts'

const PHONE_PIXELS = 390
/** Forms that together have every kind of field. */
const FORMS: readonly (readonly [name: string, path: string, key: string])[] = [
  ['create', '/', 'n'],
  ['edit', '/cases/task-002', 'e'],
  ['delete', '/cases/task-002', 'x'],
  ['changes', '/cases/task-005', 'h'],
]
const say = (place: string) => place
let browser: Browser
let server: ScriptedServer

beforeAll(async () => {
  server = await startScripted({ rows: () => scriptedSnapshot(say), say })
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await server?.[Symbol.asyncDispose]()
})

for (const theme of THEMES) {
  test(`axe finds nothing wrong with any page in ${theme}, with a row of every state on it`, async () => {
    const { page, misdeeds } = await openTab(browser, server, { theme })
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe(theme)
    const found: Record<string, string[]> = {}
    for (const [name, path, shown] of ALL_PAGES) {
      await page.goto(`${server.url}${path}`)
      await page.locator(shown).first().waitFor()
      const violations = await axeViolations(page)
      if (violations.length > 0) found[name] = violations
    }
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    found.help = await axeViolations(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('A case, a page, an action').fill('task')
    found.palette = await axeViolations(page)
    await page.keyboard.press('Escape')
    for (const [name, path, key] of FORMS) {
      await page.goto(`${server.url}${path}`)
      await page.locator('main button').first().waitFor()
      await page.keyboard.press(key)
      await page.getByRole('dialog').locator('form').waitFor()
      found[name] = await axeViolations(page)
    }
    await page.goto(`${server.url}/cases/task-002`)
    await page.locator('main summary').filter({ hasText: 'More' }).click()
    found.more = await axeViolations(page)
    const names = ['help', 'palette', 'more', ...FORMS.map(([name]) => name)]
    expect(found).toEqual(Object.fromEntries(names.map((name) => [name, []])))
    expect(misdeeds).toEqual({ errors: [], foreign: [], dialogs: [] })
    await page.context().close()
  })
}

test('no page is wider than a phone', async () => {
  const { page } = await openTab(browser, server, { width: PHONE_PIXELS })
  for (const [name, path, shown] of ALL_PAGES) {
    await page.goto(`${server.url}${path}`)
    await page.locator(shown).first().waitFor()
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width, name).toBeLessThanOrEqual(PHONE_PIXELS)
  }
  await page.context().close()
})
