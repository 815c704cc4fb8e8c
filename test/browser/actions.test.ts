import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PersonCommand } from '../../src/server/contract.ts'
import { launchChromium, openTab, PATIENCE_MS } from './chromium.ts'
import { scriptedSnapshot } from './scripted-rows.ts'
import { type ScriptedServer, startScripted } from './scripted-server.ts'

const say = (place: string) => place
const COMMIT = 'a'.repeat(40)
let browser: Browser
let server: ScriptedServer
let page: Page

beforeAll(async () => {
  server = await startScripted({ rows: () => scriptedSnapshot(say), say })
  browser = await launchChromium()
  ;({ page } = await openTab(browser, server))
})
beforeEach(async () => {
  await page.goto(`${server.url}/`)
  await page.locator('article').first().waitFor()
})
afterAll(async () => {
  await browser?.close()
  await server?.[Symbol.asyncDispose]()
})

/** Does it, and gives the one command that the server was sent for it. */
async function sentBy(act: () => Promise<void>): Promise<PersonCommand> {
  const before = server.commands.length
  await act()
  await expect.poll(() => server.commands.length, { timeout: PATIENCE_MS }).toBe(before + 1)
  return server.commands[before] as PersonCommand
}

const press = (name: string) => async () => {
  await page.getByRole('button', { name, exact: true }).first().click()
}
const words = async (text: string) => page.getByLabel('Words for the action').fill(text)

async function openCase(id: string, tab = ''): Promise<void> {
  await page.goto(`${server.url}/cases/${id}${tab}`)
  await page.getByRole('tab', { name: 'Overview' }).waitFor()
}

test('the switches of the project and of an agent send what they say', async () => {
  expect(await sentBy(press('Switch to semi-auto'))).toEqual({ kind: 'mode', mode: 'semi-auto' })
  const bar = page.getByRole('banner').or(page.locator('main > header'))
  expect(await sentBy(() => bar.getByRole('button', { name: 'Pause', exact: true }).first().click())).toEqual(
    { kind: 'pause' },
  )
  const card = page.getByRole('article', { name: 'echo-002: running' })
  expect(await sentBy(() => card.getByRole('button', { name: 'Pause', exact: true }).click())).toEqual({
    kind: 'pause',
    agent: 'echo-002',
  })
  expect(await sentBy(() => card.getByRole('button', { name: 'Stop', exact: true }).click())).toEqual({
    kind: 'stop',
    agent: 'echo-002',
  })
  await page.getByText('Done: stop').waitFor()
})

test('a switch can be copied as the command of the terminal', async () => {
  await page.getByRole('button', { name: 'Copy as command: axiom pause echo-002' }).click()
  await expect
    .poll(() => page.evaluate('navigator.clipboard.readText()'), { timeout: PATIENCE_MS })
    .toBe('axiom pause echo-002')
})

test('each state of a case offers its actions, and each sends its command', async () => {
  await openCase('task-002')
  expect(await sentBy(press('Assign'))).toEqual({ kind: 'assign', task: 'task-002' })
  expect(await sentBy(press('Complete by hand'))).toEqual({ kind: 'complete', case: 'task-002' })
  expect(await page.getByRole('button', { name: 'Defer', exact: true }).isDisabled()).toBe(true)
  await words('later')
  expect(await sentBy(press('Defer'))).toEqual({ kind: 'defer', case: 'task-002', reason: 'later' })
  expect(await sentBy(press('Remove'))).toEqual({ kind: 'undepend', case: 'task-002', on: 'task-001' })
  await openCase('task-003')
  await words('use the parser')
  expect(await sentBy(press('Tell echo-001'))).toEqual({
    kind: 'tell',
    agent: 'echo-001',
    text: 'use the parser',
  })
  expect(await sentBy(press('Stop echo-001'))).toEqual({ kind: 'stop', agent: 'echo-001' })
  await openCase('task-005')
  expect(await sentBy(press('Approve'))).toEqual({ kind: 'review', task: 'task-005', decision: 'approve' })
  await words('too long')
  expect(await sentBy(press('Request changes'))).toMatchObject({ decision: 'changes', note: 'too long' })
  await openCase('task-008')
  expect(await sentBy(press('Override'))).toEqual({ kind: 'override', case: 'task-008' })
  await openCase('task-009')
  expect(await sentBy(press('Retry'))).toEqual({ kind: 'retry', task: 'task-009' })
})

test('a comment on a line of the diff goes back to the agent', async () => {
  await openCase('task-003', '?tab=diff')
  await page.getByRole('button', { name: '2 Comment on line 2' }).last().click()
  await page.getByLabel('Comment on line 2').last().fill('name it')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  expect(await sentBy(press('Send 1 comment to the agent'))).toEqual({
    kind: 'comment',
    task: 'task-003',
    comments: [{ commit: COMMIT, file: 'path of a file', line: 2, side: 'new', text: 'name it' }],
  })
})

test('the inbox settles a question by an option or by words, and a review', async () => {
  await page.goto(`${server.url}/inbox`)
  const question = page.getByRole('listitem').filter({ hasText: 'question question' })
  expect(
    await sentBy(() => question.getByRole('button', { name: 'first option', exact: true }).click()),
  ).toEqual({
    kind: 'answer',
    case: 'pend-001',
    text: 'first option',
  })
  await question.getByLabel('Your answer').fill('neither')
  expect(await sentBy(() => question.getByRole('button', { name: 'Answer', exact: true }).click())).toEqual({
    kind: 'answer',
    case: 'pend-001',
    text: 'neither',
  })
  const review = page.getByRole('listitem').filter({ hasText: 'question review' })
  expect(await sentBy(() => review.getByRole('button', { name: 'Approve', exact: true }).click())).toEqual({
    kind: 'review',
    task: 'task-004',
    decision: 'approve',
  })
  const conflict = page.getByRole('listitem').filter({ hasText: 'question conflict' })
  expect(await conflict.getByRole('button', { name: 'Answer', exact: true }).count()).toBe(0)
  const inConflict = (name: string) => () => conflict.getByRole('button', { name, exact: true }).click()
  expect(await sentBy(inConflict('Retry'))).toEqual({ kind: 'retry', task: 'task-007' })
  expect(await sentBy(inConflict('Halt'))).toEqual({ kind: 'halt', task: 'task-007' })
  const repair = page.getByRole('listitem').filter({ hasText: 'question repair' })
  expect(await sentBy(() => repair.getByRole('button', { name: 'Override', exact: true }).click())).toEqual({
    kind: 'override',
    case: 'task-006',
  })
})
