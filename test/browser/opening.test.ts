import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../../src/cli/commands/serve/open-browser.ts'
import { launchChromium, PATIENCE_MS } from './chromium.ts'
import { scriptedSnapshot } from './scripted-rows.ts'
import { type ScriptedServer, startScripted } from './scripted-server.ts'

const say = (place: string) => place
let browser: Browser
let server: ScriptedServer
let folder: string

beforeAll(async () => {
  server = await startScripted({ rows: () => scriptedSnapshot(say), say })
  browser = await launchChromium()
  folder = mkdtempSync(join(tmpdir(), 'axiom-opening-'))
})
afterAll(async () => {
  await browser?.close()
  await server?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** A desktop whose opener writes down what it was asked to open. */
function desktop(): { readonly env: Record<string, string>; asked(): string } {
  const programs = join(folder, 'programs')
  mkdirSync(programs, { recursive: true })
  const note = join(folder, 'asked')
  writeFileSync(
    join(programs, 'xdg-open'),
    `#!/bin/sh\nprintf '%s\\n' "$@" > '${note}.new' && mv '${note}.new' '${note}'\n`,
  )
  chmodSync(join(programs, 'xdg-open'), 0o755)
  return {
    env: { PATH: `${programs}:${process.env.PATH}`, DISPLAY: ':0' },
    asked: () => (existsSync(note) ? readFileSync(note, 'utf8').trim() : ''),
  }
}

test('the browser is opened without the token in any argument, and comes in signed in', async () => {
  const { env, asked } = desktop()
  const address = `${server.url}/#token=${server.token}`
  const opened = await openBrowser({ env, interactive: true }, address, join(folder, 'private'))
  await expect.poll(asked, { timeout: PATIENCE_MS }).not.toBe('')
  expect(asked()).not.toContain(server.token)
  expect(statSync(asked()).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'private')).mode & 0o777).toBe(0o700)
  const page = await browser.newPage()
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(`file://${asked()}`)
  await page.getByRole('heading', { level: 1, name: 'Work' }).waitFor({ timeout: PATIENCE_MS })
  await page.locator('article').first().waitFor({ timeout: PATIENCE_MS })
  // The token is in the fragment that the browser keeps to itself, and then no longer in the address.
  expect(page.url()).toBe(`${server.url}/`)
  expect(requests.filter((url) => new URL(url).search.includes(server.token))).toEqual([])
  await page.close()
  await opened[Symbol.asyncDispose]()
  expect(existsSync(asked())).toBe(false)
})
