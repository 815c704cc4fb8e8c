import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { configPage } from './config-page.ts'
import { editConfig } from './edit-config.ts'
import { fillSlot } from './fill-slot.ts'
import { migrateConfig } from './migrate-config.ts'
import { listOptions } from './options.ts'
import { readConfigText, writeConfigText } from './read-config-text.ts'
import { resolveConfig } from './resolve-config.ts'
import { configJsonSchema } from './schema.ts'

const root = resolve(import.meta.dirname, '../..')
const messages = (file: unknown): string[] => resolveConfig({ file }).problems.map(({ message }) => message)

function expectCurrent(path: string, text: string): void {
  if (process.env.UPDATE_GOLDEN) writeFileSync(resolve(root, path), text)
  expect(readFileSync(resolve(root, path), 'utf8'), `${path} is stale; UPDATE_GOLDEN=1 writes it`).toBe(text)
}

describe('the defaults', () => {
  it('are those that the documentation promises', () => {
    const { config, problems } = resolveConfig({})
    expect(problems).toEqual([])
    expect(config.agents).toMatchObject({ maxConcurrent: 2, maxIterations: 50, maxMinutes: 30, retries: 2 })
    expect(config.review).toMatchObject({ defaultMode: 'batch', autoApprove: { maxIterations: 3 } })
    expect(config.integration).toMatchObject({
      mode: 'direct',
      conflictTries: 3,
      escalation: { minutes: 60, action: 'defer' },
    })
    expect(config.workspace.retentionDays).toBe(7)
    expect(config.checkpoints).toEqual({ every: 5, max: 50, retentionDays: 30 })
    expect(config.planning.whenLow).toBe('pause')
    expect(config.sandbox).toMatchObject({
      level: 'auto',
      readOnly: [],
      readWrite: [],
      network: 'host',
      allow: [],
    })
  })

  it('are stated with a meaning and a range for every option', () => {
    for (const { key, node } of listOptions()) {
      expect(node.description, key).toBeTruthy()
      if (node.type === 'integer')
        expect([key, typeof node.minimum, typeof node.maximum]).toEqual([key, 'number', 'number'])
    }
    expect(listOptions().length).toBeGreaterThan(60)
  })

  it('are published as a JSON Schema and as a page, both current', () => {
    expectCurrent('schema/config.schema.json', `${JSON.stringify(configJsonSchema(), null, 2)}\n`)
    expectCurrent('docs/configuration.md', configPage())
  })
})

describe('a file', () => {
  it('may hold all that scripts set', () => {
    const { config, problems } = resolveConfig({
      file: {
        verification: ['npm test', { name: 'lint', command: 'npm run lint', timeout: 60, required: false }],
        review: { defaultMode: 'skip' },
        agents: {
          driver: 'command',
          command: ['node', 'agent.mjs'],
          roles: { critic: { driver: 'command', command: ['node', 'critic.mjs'] } },
        },
        sandbox: {
          level: 'auto',
          readOnly: ['/extra/path'],
          readWrite: [],
          network: 'proxy',
          allow: ['api.example.com'],
        },
        integration: { mode: 'direct', target: 'main' },
        workspace: { setup: ['npm install'], copy: ['.env'] },
      },
    })
    expect(problems).toEqual([])
    expect(config.verification).toEqual([
      { name: 'npm test', command: 'npm test', timeout: 300, required: true, environments: {} },
      { name: 'lint', command: 'npm run lint', timeout: 60, required: false, environments: {} },
    ])
    expect(config.agents.roles.critic).toEqual({ driver: 'command', command: ['node', 'critic.mjs'] })
  })

  it.each([
    [
      { agents: { maxConcurrent: 51 } },
      'agents.maxConcurrent is 51; allowed is a whole number from 1 to 50; the default 2 is used',
    ],
    [
      { agents: { maxConcurrent: 0 } },
      'agents.maxConcurrent is 0; allowed is a whole number from 1 to 50; the default 2 is used',
    ],
    [
      { agents: 'claude' },
      /^agents is "claude"; allowed is an object with driver, command,.* the default \{\} is used$/,
    ],
    [
      { review: { defaultMode: 'never' } },
      'review.defaultMode is "never"; allowed is one of per-task, batch, auto-approve, skip; the default "batch" is used',
    ],
    [
      { verification: ['true', { command: 'x', timeout: 'long' }] },
      'verification[1].timeout is "long"; allowed is a whole number from 1 to 86400; the default 300 is used',
    ],
    [{ verification: [7, 'true'] }, /^verification\[0\] is 7; allowed is .*; the entry is left out$/],
    [
      { verification: ['true', { name: 'no command' }] },
      /^verification\[1\] is \{"name":"no command"\}.*left out$/,
    ],
    [
      { quietHours: { from: '25:00', to: '07:00' } },
      /^quietHours.from is "25:00"; allowed is a text of the form/,
    ],
    [{ agent: {} }, 'unknown key agent is ignored; did you mean agents?'],
    [
      { agents: { maxConcurent: 3 } },
      'unknown key agents.maxConcurent is ignored; did you mean agents.maxConcurrent?',
    ],
    [{ maxConcurrent: 3 }, 'unknown key maxConcurrent is ignored; did you mean agents.maxConcurrent?'],
    [
      { agents: { roles: { critc: {} } } },
      'unknown key agents.roles.critc is ignored; did you mean agents.roles.critic?',
    ],
    [
      { verification: [{ command: 'x', timout: 3 }] },
      /verification\[0\].timout is ignored; did you mean verification\[0\].timeout\?/,
    ],
    [{ zebra: true }, 'unknown key zebra is ignored'],
    [[], 'the file holds []; allowed is an object'],
    [{ version: 99 }, /newer AXIOM \(version 99\)/],
    [{ sandbox: { network: 'proxy' } }, /agents reach no host at all/],
    [{ agents: { driver: 'command' } }, /needs a program in agents.command/],
    [{ agents: { command: ['./claude'] } }, /set agents.driver to what the program is/],
    [{ disk: { stopMegabytes: 5000 } }, /limits must fall/],
    [{ verification: ['a', 'a'] }, /two checks are named "a"/],
  ])('with %j is told what is wrong', (file, expected) => {
    const message = messages(file)[0]
    if (expected instanceof RegExp) expect(message).toMatch(expected)
    else expect(message).toBe(expected)
  })

  it('keeps every right value beside any number of wrong ones', () => {
    const { config, problems } = resolveConfig({
      file: {
        agents: { maxConcurrent: 4, maxMinutes: 'x', driver: 'nobody' },
        verification: [1, 'first', 2, { command: 'second', timeout: -1 }, { timeout: 3 }, 'third'],
        review: { defaultMode: 'skip', labels: { ui: 'per-task', bad: 'x' } },
        unknown: 1,
      },
    })
    expect(config.agents).toMatchObject({ maxConcurrent: 4, maxMinutes: 30, driver: 'auto' })
    expect(config.verification.map(({ name, timeout }) => [name, timeout])).toEqual([
      ['first', 300],
      ['second', 300],
      ['third', 300],
    ])
    expect(config.review).toMatchObject({ defaultMode: 'skip', labels: { ui: 'per-task' } })
    expect(problems.map(({ key }) => key).toSorted()).toEqual([
      'agents.driver',
      'agents.maxMinutes',
      'review.labels.bad',
      'unknown',
      'verification[0]',
      'verification[2]',
      'verification[3].timeout',
      'verification[4]',
    ])
  })

  it('with a syntax error is told with line and column', () => {
    expect(readConfigText('{\n  "a": 1,\n  "b" 2\n}')).toMatchObject({
      kind: 'broken',
      reason: expect.stringMatching(/^line 3, column 7/),
    })
    expect(readConfigText('')).toEqual({ kind: 'broken', reason: 'the file is empty' })
    expect(readConfigText('\uFEFF{}')).toEqual({ kind: 'parsed', raw: {} })
  })

  it('of an earlier version is brought forward step by step, one of a later version is left alone', () => {
    const steps = [
      { from: 1, migrate: (raw: Record<string, unknown>) => ({ ...raw, second: raw.first }) },
      { from: 2, migrate: (raw: Record<string, unknown>) => ({ ...raw, third: raw.second }) },
    ]
    expect(migrateConfig({ version: 1, first: 'x' }, steps, 3)).toEqual({
      raw: { version: 3, first: 'x', second: 'x', third: 'x' },
      migratedFrom: 1,
    })
    expect(migrateConfig({ version: 4 }, steps, 3)).toEqual({ raw: { version: 4 }, newer: 4 })
    expect(migrateConfig({ first: 'x' }, steps, 3)).toEqual({ raw: { first: 'x' } })
  })
})

describe('precedence', () => {
  const file = { agents: { maxConcurrent: 3, maxMinutes: 5 }, verification: ['a'] }

  it('is flag, variable, file, default, and each value knows its origin', () => {
    const { config, originOf } = resolveConfig({
      file,
      env: { AXIOM_AGENTS_MAX_CONCURRENT: '4', AXIOM_AGENTS_MAX_MINUTES: '6' },
      flags: { 'agents.maxConcurrent': 5 },
    })
    expect(config.agents).toMatchObject({ maxConcurrent: 5, maxMinutes: 6, maxIterations: 50 })
    expect(originOf('agents.maxConcurrent')).toEqual({ source: 'flag' })
    expect(originOf('agents.maxMinutes')).toEqual({
      source: 'environment',
      variable: 'AXIOM_AGENTS_MAX_MINUTES',
    })
    expect(originOf('verification')).toEqual({ source: 'file' })
    expect(originOf('agents.maxIterations')).toEqual({ source: 'default' })
  })

  it('lets a wrong variable fall to the file, not to the default', () => {
    const { config, problems } = resolveConfig({ file, env: { AXIOM_AGENTS_MAX_CONCURRENT: 'many' } })
    expect(config.agents.maxConcurrent).toBe(3)
    expect(problems[0]?.message).toBe(
      'AXIOM_AGENTS_MAX_CONCURRENT: agents.maxConcurrent is "many"; allowed is a whole number from 1 to 50; it is ignored',
    )
  })

  it.each([
    [
      'AXIOM_VERIFICATION',
      '["npm test"]',
      (config: { verification: { name: string }[] }) => config.verification[0]?.name,
      'npm test',
    ],
    [
      'AXIOM_SANDBOX_ALLOW',
      'a.example, b.example',
      (config: { sandbox: { allow: string[] } }) => config.sandbox.allow,
      ['a.example', 'b.example'],
    ],
    ['AXIOM_NON_INTERACTIVE', '1', (config: { nonInteractive: boolean }) => config.nonInteractive, true],
    [
      'AXIOM_AGENTS_MODEL',
      '5',
      (config: { agents: { model?: string | undefined } }) => config.agents.model,
      '5',
    ],
  ])('reads %s=%s as people type it', (variable, text, pick, expected) => {
    const { config, problems } = resolveConfig({ env: { [variable]: text } })
    expect(pick(config)).toEqual(expected)
    expect(problems).toEqual([])
  })

  it('warns of a misspelt variable, and not of those that AXIOM gives to agents', () => {
    const { problems } = resolveConfig({
      env: { AXIOM_AGENTS_MAX_CONCURENT: '3', AXIOM_AGENT: 'echo-001', AXIOM_TASK_ID: 'x' },
    })
    expect(problems.map(({ message }) => message)).toEqual([
      'unknown variable AXIOM_AGENTS_MAX_CONCURENT; did you mean AXIOM_AGENTS_MAX_CONCURRENT?',
    ])
  })
})

describe('an edit', () => {
  const raw = { zebra: [1, { keep: true }], agents: { own: 1, maxConcurrent: 3 }, $schema: 'x' }

  it('keeps unknown keys and the order of all keys', () => {
    const edit = editConfig(raw, 'agents.maxConcurrent', '9')
    expect(edit).toMatchObject({ kind: 'changed', before: 3, after: 9 })
    expect(edit.kind === 'changed' && writeConfigText(edit.raw)).toBe(
      writeConfigText({ zebra: [1, { keep: true }], agents: { own: 1, maxConcurrent: 9 }, $schema: 'x' }),
    )
  })

  it('reaches into lists and records', () => {
    const file = { verification: ['a', { command: 'b' }] }
    expect(editConfig(file, 'verification[1].timeout', '5')).toMatchObject({
      raw: { verification: ['a', { command: 'b', timeout: 5 }] },
    })
    expect(editConfig({}, 'agents.roles.critic.model', 'opus')).toMatchObject({
      raw: { agents: { roles: { critic: { model: 'opus' } } } },
    })
  })

  it.each([
    [
      'agents.maxConcurrent',
      '99',
      'CONFIG_SCHEMA_ERROR',
      'agents.maxConcurrent is 99; allowed is a whole number from 1 to 50',
    ],
    [
      'agents.maxConcurent',
      '9',
      'CONFIG_UNKNOWN_KEY',
      'there is no option agents.maxConcurent; did you mean agents.maxConcurrent?',
    ],
    ['__proto__.polluted', 'true', 'CONFIG_UNKNOWN_KEY', 'there is no option __proto__.polluted'],
    ['', '1', 'CONFIG_UNKNOWN_KEY', 'there is no option '],
  ])('of %j to %j is refused', (key, text, code, reason) => {
    expect(editConfig(raw, key, text)).toEqual({ kind: 'refused', code, reason })
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})

describe('a template', () => {
  it('gives each slot a number of its own', () => {
    expect(fillSlot('{slot+3000}', 7)).toBe('3007')
    expect(fillSlot('postgres://localhost/app_{slot}?x={slots}', 12)).toBe(
      'postgres://localhost/app_12?x={slots}',
    )
  })
})
