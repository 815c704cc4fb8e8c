import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandRequest } from '../../src/server/commands/command-schema.ts'
import type { Action } from '../../web/src/actions/action.ts'
import { ACTIONS } from '../../web/src/actions/action-table.ts'
import { type Place, SCENES } from './action-scenes.ts'
import { Stage } from './action-stage.ts'
import { launchChromium, openTab, PATIENCE_MS, type Tab } from './chromium.ts'

const STEPS_MAX = 80
let browser: Browser
let stage: Stage
let tab: Tab
let page: Page

beforeAll(async () => {
  stage = await Stage.open()
  browser = await launchChromium()
  tab = await openTab(browser, { url: stage.rig.server.url, token: stage.rig.token })
  page = tab.page
})
afterAll(async () => {
  await browser?.close()
  await stage?.[Symbol.asyncDispose]()
})

/** Opens the page on which the subject is, and waits until it offers the action. */
async function goTo(action: Action, { subject }: Place): Promise<void> {
  const [kind, id = ''] = subject.split(':')
  await page.goto(`${stage.rig.server.url}${kind === 'case' ? `/cases/${id}` : '/'}`)
  await (await buttonOf(action, { subject })).waitFor({ state: 'attached' })
}

async function buttonOf(action: Action, { subject }: Place): Promise<Locator> {
  const place = subject.startsWith('agent:')
    ? page.locator(`[data-subject="${subject}"]`)
    : page.locator('main')
  const around = subject === 'project' ? place.locator('header').first() : place
  return around
    .locator('button')
    .filter({ hasText: new RegExp(`^${action.name}`) })
    .first()
}

const dialog = () => page.getByRole('dialog')

async function until(isThere: () => Promise<boolean>, press: string): Promise<void> {
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    if (await isThere()) return
    await page.keyboard.press(press)
  }
  throw new Error(`${press} does not lead there`)
}

const labelOfFocus = async () =>
  String(await page.evaluate('document.activeElement.labels?.[0]?.textContent ?? ""'))

async function fillByKeyboard(fields: Readonly<Record<string, string>>): Promise<void> {
  await dialog().waitFor()
  for (const [label, value] of Object.entries(fields)) {
    await until(async () => (await labelOfFocus()).startsWith(label), 'Tab')
    const type = await page.evaluate('document.activeElement.type')
    if (type === 'checkbox') await page.keyboard.press('Space')
    else {
      if (type !== 'select-one') await page.keyboard.press('Control+a')
      await page.keyboard.type(value)
    }
  }
}

async function fillByMouse(fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    const box = dialog()
      .getByLabel(new RegExp(`^${label}`))
      .first()
    const type = await box.evaluate((one) => (one as unknown as { type: string }).type)
    if (type === 'checkbox') await box.click()
    else if (type === 'select-one') await box.selectOption({ label: value })
    else await box.fill(value)
  }
}

const asks = ({ fields, warning }: Action) => fields.length > 0 || warning !== undefined

describe.each(ACTIONS.map((action) => [action.id, action] as const))('%s', (id, action) => {
  test('is done by keyboard alone', async () => {
    const scene = SCENES[id]
    if (scene === undefined) throw new Error(`nobody shows that ${id} works`)
    const place = await scene.prepare(stage)
    await goTo(action, place)
    if (place.subject.startsWith('agent:')) {
      const isChosen = `document.activeElement.getAttribute('data-subject') === '${place.subject}'`
      await until(async () => (await page.evaluate(isChosen)) === true, 'j')
    }
    await page.keyboard.press(action.key)
    if (asks(action)) {
      await fillByKeyboard(scene.fields?.(place) ?? {})
      await page.keyboard.press('Control+Enter')
      await dialog().waitFor({ state: 'detached' })
    }
    await scene.check(stage, place)
  })

  test('is done by mouse, and can be copied as a command', async () => {
    const scene = SCENES[id]
    if (scene === undefined) throw new Error(`nobody shows that ${id} works`)
    const place = await scene.prepare(stage)
    await goTo(action, place)
    const button = await buttonOf(action, place)
    if (!(await button.isVisible())) await page.locator('main summary').filter({ hasText: 'More' }).click()
    if (asks(action)) {
      await button.click()
      await fillByMouse(scene.fields?.(place) ?? {})
      await dialog()
        .getByRole('button', { name: /^Copy as command: axiom / })
        .click()
      await expect.poll(copied, { timeout: PATIENCE_MS }).toMatch(/^axiom /)
      await dialog().locator('button[type=submit]').click()
      await dialog().waitFor({ state: 'detached' })
    } else {
      await button.locator('xpath=following-sibling::button').click()
      await expect.poll(copied, { timeout: PATIENCE_MS }).toMatch(/^axiom /)
      if (!(await button.isVisible())) await page.locator('main summary').filter({ hasText: 'More' }).click()
      await button.click()
    }
    await scene.check(stage, place)
  })
})

/** Read once: the next action has to copy its own. */
async function copied(): Promise<string> {
  const text = String(await page.evaluate('navigator.clipboard.readText()'))
  if (text !== '') await page.evaluate('navigator.clipboard.writeText("")')
  return text
}

test('the help names every action with its key, and the palette offers those that fit', async () => {
  const id = await stage.reviewed()
  await page.goto(`${stage.rig.server.url}/cases/${id}`)
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keys' })
  await help.waitFor()
  for (const { does } of ACTIONS) expect(await help.getByText(does, { exact: true }).count()).toBe(1)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('A case, a page, an action').fill(`Approve ${id}`)
  await page.getByRole('option', { name: /^Approve/ }).waitFor()
  await page.keyboard.press('Enter')
  await SCENES.approve?.check(stage, { subject: `case:${id}` })
})

test('no two actions that fit the same subject have the same key', async () => {
  const keys = ACTIONS.map(({ of, key, id }) => [`${of} ${key}`, id] as const)
  const shared = keys.filter(([key], at) => keys.findIndex(([other]) => other === key) !== at)
  expect(shared.map(([, id]) => id)).toEqual(['resume', 'autopilot', 'resume-agent'])
})

test('everything that the server can be asked for is an action, or a comment on a line', () => {
  const scenes = Object.keys(SCENES)
  expect(scenes.toSorted()).toEqual(ACTIONS.map(({ id }) => id).toSorted())
  const json = JSON.stringify(commandRequest.toJSONSchema())
  const kinds = [...json.matchAll(/"kind":\{"type":"string","const":"([a-z]+)"\}/g)].map(([, kind]) => kind)
  expect(new Set(kinds).size).toBeGreaterThan(20)
  const source = ACTIONS.map((action) => String(action.id)).join(' ')
  const named: Readonly<Record<string, string>> = { mode: 'autopilot', review: 'approve', comment: '' }
  for (const kind of kinds) expect(source).toContain(named[kind ?? ''] ?? kind)
})

test('a refusal stays in the form, with the path of a circle and what is allowed', async () => {
  const first = await stage.task()
  const second = await stage.task('waits for the first', (id) => [{ kind: 'depend', id, on: first }])
  await page.goto(`${stage.rig.server.url}/cases/${first}`)
  await page.getByRole('button', { name: 'Edit…' }).waitFor()
  await page.keyboard.press('d')
  await fillByKeyboard({ 'Waits for': second })
  await page.keyboard.press('Control+Enter')
  await dialog()
    .getByRole('alert')
    .filter({ hasText: `${first} → ${second} → ${first}` })
    .waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
})

test('an option of a question is chosen by its digit in the inbox', async () => {
  const id = await stage.question()
  await page.goto(`${stage.rig.server.url}/inbox?kind=question`)
  const isChosen = `document.activeElement.getAttribute('data-subject') === 'case:${id}'`
  await page.locator(`[data-subject="case:${id}"]`).waitFor()
  await until(async () => (await page.evaluate(isChosen)) === true, 'j')
  await page.keyboard.press('2')
  await stage.until(id, ({ status }) => status === 'done')
  expect(JSON.stringify(await stage.case(id))).toContain('Apache')
})

test('in all of this no page had an error, asked another host or opened a dialog', () => {
  // A refused command is an answer of 409, which a browser writes down by itself.
  const errors = tab.misdeeds.errors.filter((text) => !text.includes('status of 409'))
  expect({ ...tab.misdeeds, errors }).toEqual({ errors: [], foreign: [], dialogs: [] })
})
