import { describe, expect, it } from 'vitest'
import type { Outcome } from '../proving/judge-run.ts'
import type { Proof } from '../proving/prove-commands.ts'
import { kindOf, type ProvenProposal } from './prove-proposal.ts'
import type { Proposal } from './read-proposal.ts'
import { type Consent, type Draft, planTrial, settleProposal } from './settle-proposal.ts'

const draft: Draft = {
  config: {
    version: 1,
    verification: [{ name: 'test', command: 'npm test' }],
    workspace: { setup: ['npm ci'] },
    integration: { mode: 'direct', target: 'main' },
  },
  checks: [{ name: 'test', command: 'npm test' }],
  passed: ['npm test'],
}
const NO: Consent = { leaveOut: [], copy: [], landing: false }
const check = (command: string, changes: Partial<Proposal['checks'][number]> = {}) => ({
  name: command,
  command,
  timeout: 300,
  required: true,
  environments: {},
  ...changes,
})
const propose = (changes: Partial<Proposal>): Proposal => ({
  checks: [],
  variables: {},
  copy: [],
  ...changes,
})

function proof(command: string, outcome: Outcome): Proof {
  return { folder: '', kind: 'build', command, because: '', outcome, seconds: 1, tail: '' }
}

/** Every line passes but those that are named. */
function settle(proposal: Proposal, failing: readonly string[] = [], consent = NO) {
  const { setup, checks } = planTrial(draft, proposal, consent)
  const outcomeOf = (line: string): Outcome =>
    failing.includes(line) ? { kind: 'failed', exitCode: 2 } : { kind: 'passed' }
  const proven: ProvenProposal = {
    setup: setup.map((line) => proof(line, outcomeOf(line))),
    checks: checks.map((one) => ({ check: one, proofs: [proof(one.command, outcomeOf(one.command))] })),
  }
  return settleProposal(draft, proposal, proven, consent)
}

describe('a proven proposal', () => {
  it('adds the checks that passed and names those that did not', () => {
    expect(
      settle(propose({ checks: [check('npm test'), check('make docs'), check('make x')] }), ['make x']),
    ).toEqual({
      kind: 'taken',
      config: {
        ...draft.config,
        verification: [
          { name: 'test', command: 'npm test' },
          { name: 'make docs', command: 'make docs' },
        ],
      },
      notes: ['not written: make x: exit code 2'],
    })
  })

  it('cannot take away or loosen what the rules have proven', () => {
    const loose = propose({ checks: [check('npm test', { required: false, timeout: 1 })] })
    expect(settle(loose)).toMatchObject({ config: draft.config, notes: ['stays required: npm test'] })
    expect(settle(propose({}))).toMatchObject({
      config: draft.config,
      notes: ['kept, though the proposal leaves it out: npm test'],
    })
  })

  it('takes a check away by the word of a person', () => {
    const settled = settle(propose({}), [], { ...NO, leaveOut: ['npm test'] })
    expect(settled).toMatchObject({
      config: { verification: [] },
      notes: ['left out, as you chose: npm test'],
    })
  })

  it('does not give its name to two checks', () => {
    const settled = settle(propose({ checks: [check('make test', { name: 'test' })] }))
    expect(settled).toMatchObject({
      config: { verification: [{ name: 'make test' }, { name: 'test' }] },
    })
  })

  it.each([
    ['a set-up that fails', propose({ setup: ['npm install --bad'] }), 'npm install --bad'],
    ['a set-up under which a proven check fails', propose({ setup: [] }), 'npm test'],
    ['an environment in which a proven check fails', propose({ checks: [check('npm test')] }), 'npm test'],
  ])('with %s is refused whole', (_name, proposal, failing) => {
    expect(settle(proposal, [failing])).toEqual({
      kind: 'refused',
      reason: expect.stringContaining(`${failing}`),
    })
  })

  it('keeps the set-up of the rules when that failed before as well', () => {
    expect(settle(propose({ setup: ['npm ci'] }), ['npm ci'])).toMatchObject({
      kind: 'taken',
      config: { workspace: { setup: ['npm ci'] } },
    })
  })

  it('copies files and moves the target only by the word of a person', () => {
    const proposal = propose({ copy: ['.env'], target: 'next', variables: { A: '1' } })
    expect(settle(proposal)).toMatchObject({
      config: {
        workspace: { setup: ['npm ci'], variables: { A: '1' } },
        integration: { mode: 'direct', target: 'main' },
      },
      notes: expect.arrayContaining([
        'not copied without your word: .env (--copy .env)',
        'where work lands is not changed without your word: next',
      ]),
    })
    expect(settle(proposal, [], { leaveOut: [], copy: ['.env'], landing: true })).toMatchObject({
      config: { workspace: { copy: ['.env'] }, integration: { target: 'next' } },
    })
  })

  it('writes no variable that no check ran with', () => {
    const proposal = propose({ variables: { A: '1' } })
    const settled = settle(proposal, [], { ...NO, leaveOut: ['npm test'] })
    expect(settled).toMatchObject({ config: { workspace: { setup: ['npm ci'] } } })
    expect(JSON.stringify(settled)).not.toContain('"A"')
  })

  it.each([
    ['unit tests', 'make u', 'test'],
    ['a', 'bundle exec rspec', 'test'],
    ['lint', 'npm run lint', 'lint'],
    ['types', 'npx tsc', 'types'],
    ['docs', 'make docs', 'build'],
  ])('judges %s (%s) as %s', (name, command, kind) => {
    expect(kindOf({ name, command })).toBe(kind)
  })
})
