// `npm run screens`: redraws docs/screens/*.png from a running demo.
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { launchChromium, openTab } from '../test/browser/chromium.ts'
import { startDemo } from '../test/browser/demo-project.ts'

const FOLDER = resolve(import.meta.dirname, '../docs/screens')
const WIDTH = 1_280
const PHONE_WIDTH = 390
const DEMO_MS_MAX = 600_000
const CARDS_WANTED = 4

const FINISHED = [
  ['cases-phone', '/cases', 'dark', 'a[data-selectable]', PHONE_WIDTH],
  ['case-phone', '/cases/task-003', 'light', 'section:has-text("What is wanted")', PHONE_WIDTH],
  ['cases', '/cases', 'light', 'a[data-selectable]'],
  ['board', '/cases?view=board', 'dark', 'a[data-selectable]'],
  ['case', '/cases/task-003', 'light', 'section:has-text("What is wanted")'],
  ['diff', '/cases/task-003?tab=diff', 'dark', 'button[aria-label*="Comment on line"]'],
  ['log', '/cases/task-003?tab=log', 'light', 'section[aria-label="Log"] div div'],
  ['inbox', '/inbox', 'light', 'main h1'],
  ['queue', '/queue', 'contrast', 'ol'],
  ['health', '/health', 'dark', 'main h1'],
]

await mkdir(FOLDER, { recursive: true })
const picture = (name) => ({ path: join(FOLDER, `${name}.png`) })
const demo = await startDemo()
const served = await demo.serve()
const browser = await launchChromium()
try {
  await drawWork()
  await demo.ended
  for (const [name, path, theme, shown, width = WIDTH] of FINISHED) {
    const { page } = await openTab(browser, served, { path, theme, width })
    await page.locator(shown).first().waitFor()
    await page.screenshot(picture(name))
    await page.context().close()
  }
  await drawForms()
} finally {
  await browser.close()
  await demo[Symbol.asyncDispose]()
}

/** The Work page with many agents, in each theme and on a phone, all at nearly the same moment. */
async function drawWork() {
  const tabs = []
  for (const theme of ['light', 'dark', 'contrast'])
    tabs.push([`work-${theme}`, (await openTab(browser, served, { theme, width: WIDTH })).page])
  tabs.push(['work-phone', (await openTab(browser, served, { width: PHONE_WIDTH })).page])
  const [[, first] = []] = tabs
  await first
    .locator('article')
    .nth(CARDS_WANTED - 1)
    .waitFor({ timeout: DEMO_MS_MAX })
  for (const [name, page] of tabs) {
    await page.locator('article').first().waitFor()
    await page.screenshot(picture(name))
    await page.context().close()
  }
}

/** The overlays. */
async function drawForms() {
  const { page } = await openTab(browser, served, { width: WIDTH })
  for (const [name, key, shown] of [
    ['keys', '?', 'dialog h2'],
    ['palette', 'Control+k', 'dialog input'],
    ['form', 'n', 'dialog form'],
  ]) {
    await page.goto(served.url)
    await page.locator('main button').first().waitFor()
    await page.keyboard.press(key)
    await page.locator(shown).first().waitFor()
    await page.screenshot(picture(name))
  }
  await page.context().close()
}
