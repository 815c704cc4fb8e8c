import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALL_PAGES } from './all-pages.ts'
import { launchChromium, openTab } from './chromium.ts'
import { harmIn, NO_HARM } from './harm-in.ts'
import { hostileSpeech } from './hostile-corpus.ts'
import { scriptedSnapshot } from './scripted-rows.ts'
import { type ScriptedServer, startScripted } from './scripted-server.ts'

let browser: Browser
let server: ScriptedServer

beforeAll(async () => {
  const say = hostileSpeech()
  server = await startScripted({ rows: () => scriptedSnapshot(say), say })
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await server?.[Symbol.asyncDispose]()
})

test('text of agents and repositories stays text, on every page', async () => {
  const { page, misdeeds } = await openTab(browser, server)
  for (const [name, path, shown] of ALL_PAGES) {
    await page.goto(`${server.url}${path}`)
    await page.locator(shown).first().waitFor()
    expect(await harmIn(page), name).toEqual(NO_HARM)
    expect(await page.locator('body').textContent(), name).toContain('window.executed')
  }
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('A case, a page, an action').fill('title')
  await page.getByRole('dialog').getByRole('option').first().waitFor()
  expect(await page.evaluate('window.executed ?? 0')).toBe(0)
  expect(misdeeds).toEqual({ errors: [], foreign: [], dialogs: [] })
})

test('a script that did get into the page would not run, nor reach another host', async () => {
  const { page, misdeeds } = await openTab(browser, server)
  await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.executed = 1">')
    const script = document.createElement('script'); script.textContent = 'window.executed = 1'; document.body.append(script)
    fetch('https://foreign.invalid/').catch(() => { window.blocked = 1 })`)
  await page.waitForFunction('window.blocked === 1')
  expect(await page.evaluate('window.executed ?? 0')).toBe(0)
  expect(misdeeds.errors.join('\n')).toContain('Content Security Policy')
})
