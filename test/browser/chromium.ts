import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'

/** Longer than anything takes on a machine that does ten other things. */
export const PATIENCE_MS = 60_000
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** A real Chromium of this machine; without one there is nothing to show, and the suite says what to install. */
export async function launchChromium(): Promise<Browser> {
  const path = process.env.AXIOM_CHROMIUM || onPath()
  if (path === undefined) {
    throw new Error(
      'No Chromium was found. Install one ("apt-get install chromium", "brew install --cask chromium") or name it in AXIOM_CHROMIUM.',
    )
  }
  // A browser that ends in a hurry leaves the folder of its socket behind.
  const folder = await mkdtemp(join(tmpdir(), 'chromium-'))
  const browser = await chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    env: { ...process.env, TMPDIR: folder },
  })
  const close = browser.close.bind(browser)
  browser.close = async (options) => {
    await close(options)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return browser
}

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(':')
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => existsSync(path))
}

/** What a page did that no page of ours may do. */
export interface Misdeeds {
  readonly errors: readonly string[]
  readonly foreign: readonly string[]
  readonly dialogs: readonly string[]
}

export interface Tab {
  readonly page: Page
  readonly misdeeds: Misdeeds
}

export type Theme = 'light' | 'dark' | 'contrast'
export const THEMES: readonly Theme[] = ['light', 'dark', 'contrast']

/** A tab of its own context, signed in, and watched for everything that it must not do. */
export async function openTab(
  browser: Browser,
  { url, token }: { readonly url: string; readonly token: string },
  {
    path = '/',
    theme = 'light',
    width = 1_440,
  }: { readonly path?: string; readonly theme?: Theme; readonly width?: number } = {},
): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: 'reduce' })
  context.setDefaultTimeout(PATIENCE_MS)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
  const page = await context.newPage()
  const misdeeds = watch(page, url)
  await page.addInitScript({ content: `localStorage.setItem('axiom-theme', '${theme}')` })
  await page.goto(`${url}${path}#token=${token}`)
  await page.locator('h1').first().waitFor()
  return { page, misdeeds }
}

/** While a server is away the browser reports each failed try by itself; that is no fault of the page. */
const LOST = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/

function watch(page: Page, url: string): Misdeeds {
  const errors: string[] = []
  const foreign: string[] = []
  const dialogs: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !LOST.test(message.text())) errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:'))
      foreign.push(request.url())
  })
  page.on('popup', (popup) => foreign.push(popup.url()))
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  return { errors, foreign, dialogs }
}
