import { describe, expect, it } from 'vitest'
import { ROLES } from './definition.ts'
import { describeSignals } from './describe-signals.ts'
import { definitionOf, REGISTRY } from './registry.ts'
import type { SignalNames } from './signal-names.ts'

const AXIOM: SignalNames = { tag: 'axiom', names: {} }
const SWARM: SignalNames = {
  tag: 'swarm',
  names: { PENDING: 'NEEDS_HUMAN', DISCOVERY_LOCAL: 'LEARNING_LOCAL', DISCOVERY_GLOBAL: 'LEARNING_GLOBAL' },
}

describe('the registry', () => {
  it('names each signal once', () => {
    expect(new Set(REGISTRY.map(({ name }) => name)).size).toBe(REGISTRY.length)
  })

  it('has equivalents that name each other and share one handler', () => {
    for (const { name, equals, handler } of REGISTRY) {
      for (const other of equals) {
        expect(definitionOf(other)?.equals, `${name} = ${other}`).toContain(name)
        expect(definitionOf(other)?.handler).toBe(handler)
      }
    }
  })
})

describe('the rules given to an agent', () => {
  it('name what the role may say and nothing else', () => {
    const critic = describeSignals('critic', AXIOM)
    expect(critic).toContain('REVIEW_FAILED: [task id]')
    expect(critic).toContain('<axiom>PENDING:question or reason</axiom>')
    expect(critic).not.toContain('AUDIT_PASSED')
    expect(critic).not.toContain('<axiom>COMPLETE</axiom>')
  })

  it('speak the vocabulary they are given', () => {
    const developer = describeSignals('developer', SWARM)
    expect(developer).toContain('<swarm>NEEDS_HUMAN:question or reason</swarm>')
    expect(developer).toContain('<swarm>LEARNING_LOCAL:')
    expect(developer).not.toMatch(/axiom>|PENDING|DISCOVERY/)
  })

  it('exist for every role', () => {
    for (const role of ROLES) expect(describeSignals(role, AXIOM)).toMatch(/^# Signals\n/)
  })
})
