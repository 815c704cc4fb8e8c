import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type HookGround, openHooks } from '../../src/director/hooks/run-hook.ts'
import { findProcess } from '../../src/platform/process/process-table.ts'

let root = ''
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'axiom-hooks-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const open = (hooks: HookGround['hooks'], timeMaxMs = 30_000) =>
  openHooks({
    hooks,
    root,
    environment: { PATH: process.env.PATH, OWN: 'mine' },
    logFile: join(root, 'logs/hooks.jsonl'),
    now: () => Date.parse('2026-01-01T00:00:00Z'),
    timeMaxMs,
  })

const logged = (): Record<string, unknown>[] =>
  readFileSync(join(root, 'logs/hooks.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

it('runs each line in the work tree with the variables of the event, and logs what came of it', async () => {
  const run = open({
    'post-complete': ['echo "$AXIOM_HOOK $AXIOM_TASK_ID $OWN"; pwd', 'echo no >&2; exit 3'],
  })
  const { failed } = await run({ event: 'post-complete', variables: { TASK_ID: 'task-001' } })
  expect(failed).toEqual([{ command: 'echo no >&2; exit 3', reason: 'ended with 3' }])
  expect(logged()).toMatchObject([
    { hook: 'post-complete', exitCode: 0, output: `post-complete task-001 mine\n${root}\n` },
    { exitCode: 3, output: 'no\n', reason: 'ended with 3', ts: '2026-01-01T00:00:00.000Z' },
  ])
})

it('does nothing for an event that has no lines', async () => {
  expect(await open({})({ event: 'on-pause', variables: {} })).toEqual({ failed: [] })
})

it('takes what an agent wrote as text', async () => {
  const run = open({ 'on-discovery': ['printf %s "$AXIOM_CONTENT" > said'] })
  await run({ event: 'on-discovery', variables: { CONTENT: '$(touch pwned) `touch pwned`\0; exit 9' } })
  expect(readFileSync(join(root, 'said'), 'utf8')).toBe('$(touch pwned) `touch pwned`; exit 9')
  const long = 'x'.repeat(1_000_000)
  expect(await run({ event: 'on-discovery', variables: { CONTENT: long } })).toEqual({ failed: [] })
})

it('keeps the end of a long output, and no more', async () => {
  const run = open({ 'pre-start': ['head -c 5000000 /dev/zero | tr "\\0" x; echo last'] })
  await run({ event: 'pre-start', variables: {} })
  const output = String(logged()[0]?.output)
  expect(output).toHaveLength(16 * 1024)
  expect(output.endsWith('last\n')).toBe(true)
})

it('ends a hook that takes too long, with everything that it started', async () => {
  const line = `trap '' TERM; setsid sh -c 'trap "" TERM; echo $$ > left; sleep 600' & echo $$ > own; sleep 600`
  const { failed } = await open({ 'on-error': [line] }, 8_000)({ event: 'on-error', variables: {} })
  expect(failed[0]?.reason).toContain('not done after')
  for (const name of ['own', 'left']) {
    const pid = Number(readFileSync(join(root, name), 'utf8'))
    expect(pid).toBeGreaterThan(1)
    expect(await findProcess(pid)).toBeUndefined()
  }
})

it('leaves out hooks that come faster than they run, and says so', async () => {
  const run = open({ 'on-pause': ['cat gate 2>/dev/null; while [ ! -e open ]; do sleep 0.05; done'] })
  const all = Array.from({ length: 203 }, () => run({ event: 'on-pause', variables: {} }))
  const extra = await Promise.all(all.slice(200))
  expect(extra.map(({ failed }) => failed[0]?.reason)).toEqual(
    Array.from({ length: 3 }, () => 'too many hooks are waiting'),
  )
  expect(logged()).toHaveLength(3)
  writeFileSync(join(root, 'open'), '')
  expect((await Promise.all(all.slice(0, 200))).every(({ failed }) => failed.length === 0)).toBe(true)
})
