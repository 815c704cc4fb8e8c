import { describe, expect, it } from 'vitest'
import { type AgentsSettings, chooseDriver, type DriverState, wantedChoice } from './choose-driver.ts'

const settings: AgentsSettings = {
  driver: 'claude',
  model: 'large',
  roles: { critic: { model: 'small' }, auditor: { driver: 'codex' } },
  fallback: ['codex', { driver: 'gemini', model: 'pro' }],
}

describe('the wanted driver', () => {
  it.each([
    ['developer', {}, { driver: 'claude', model: 'large' }],
    ['critic', {}, { driver: 'claude', model: 'small' }],
    ['auditor', {}, { driver: 'codex' }],
    ['critic', { driver: 'sim' }, { driver: 'sim' }],
    ['critic', { model: 'huge' }, { driver: 'claude', model: 'huge' }],
  ])('of a %s whose task asks for %o is %o', (role, task, choice) => {
    expect(wantedChoice(settings, role, task)).toEqual(choice)
  })
})

describe('the chosen driver', () => {
  const choose = (states: Record<string, DriverState>, role = 'developer') =>
    chooseDriver(settings, role, {}, (driver) => states[driver] ?? { kind: 'missing' })

  it('is the wanted one while it can work', () => {
    const ready: DriverState = { kind: 'ready' }
    expect(choose({ claude: ready, codex: ready })).toEqual({
      kind: 'chosen',
      choice: { driver: 'claude', model: 'large' },
    })
  })

  it('is the first fallback that can work, with the model of that one', () => {
    expect(choose({ claude: { kind: 'spent', resetAtMs: 5 }, gemini: { kind: 'ready' } })).toEqual({
      kind: 'chosen',
      choice: { driver: 'gemini', model: 'pro' },
      insteadOf: 'claude',
    })
  })

  it('is waited for until the first quota returns', () => {
    const states = {
      claude: { kind: 'spent', resetAtMs: 9 },
      codex: { kind: 'spent', resetAtMs: 7 },
    } as const
    expect(choose(states)).toEqual({ kind: 'wait', untilMs: 7 })
    expect(choose({ codex: { kind: 'spent' } }, 'auditor')).toEqual({ kind: 'wait', untilMs: undefined })
  })

  it('is with auto the first known program that is there', () => {
    const auto = { driver: 'auto', fallback: [{ driver: 'sim' }] }
    const choose = (there: string) =>
      chooseDriver(auto, 'developer', {}, (driver) => ({ kind: driver === there ? 'ready' : 'missing' }))
    expect(choose('gemini')).toEqual({ kind: 'chosen', choice: { driver: 'gemini' } })
    expect(choose('sim')).toEqual({ kind: 'chosen', choice: { driver: 'sim' } })
  })

  it('is none when all are missing, and all are named', () => {
    expect(choose({})).toEqual({ kind: 'none', missing: ['claude', 'codex', 'gemini'] })
  })
})
