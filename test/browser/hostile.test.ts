import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALL_PAGES } from './all-pages.ts'
import { launchChromium, openTab } from './chromium.ts'
import { scriptedSnapshot } from './scripted-rows.ts'
import { type ScriptedServer, startScripted } from './scripted-server.ts'

/** Text that is code, an address, a terminal order or a change of direction somewhere else. */
const CORPUS: readonly string[] = [
  '<script>window.executed = 1</script>',
  '<img src=x onerror="window.executed = 1">',
  '<img src="https://foreign.invalid/pixel.png">',
  '<svg onload="window.executed = 1"></svg>',
  '<iframe src="https://foreign.invalid/"></iframe>',
  '<link rel=stylesheet href="https://foreign.invalid/a.css">',
  '<style>@import "https://foreign.invalid/b.css"; body { display: none }</style>',
  '<a href="javascript:window.executed = 1">here</a>',
  '[here](javascript:window.executed=1) ![p](https://foreign.invalid/p.png)',
  '"><script>window.executed = 1</script>',
  "'-(window.executed = 1)-'",
  '{{constructor.constructor("window.executed = 1")()}}',
  '<base href="https://foreign.invalid/">',
  '<meta http-equiv="refresh" content="0;url=https://foreign.invalid/">',
  '<form action="https://foreign.invalid/"><button autofocus onfocus="window.executed = 1">x</button></form>',
  '\u001b]8;;https://foreign.invalid/\u0007link\u001b]8;;\u0007 \u001b[31mred\u001b[2J',
  '\u202etxt.exe\u202c \u2066isolated\u2069 \u200bzero',
  '__proto__ constructor toString',
  '\u0000\u0008\ud800 lone',
]

let browser: Browser
let server: ScriptedServer
let turn = 0

beforeAll(async () => {
  // Every place holds the whole corpus, from another beginning each time, so that what is cut differs.
  const say = (place: string) => {
    turn += 1
    const from = turn % CORPUS.length
    return `${place} ${[...CORPUS.slice(from), ...CORPUS.slice(0, from)].join(' ')}`
  }
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
    expect(await page.evaluate('window.executed ?? 0'), name).toBe(0)
    const made = await page.evaluate(
      'document.querySelectorAll("#root :is(script, img, iframe, style, link, base, meta, form[action]), a[href^=javascript]").length',
    )
    expect(made, name).toBe(0)
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
