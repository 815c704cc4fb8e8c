import { describe, expect, it } from 'vitest'
import { criteriaWithoutEvidence, judgeComplaint } from './review-contract.ts'

const CRITERIA = ['GET /health returns 200', 'an unknown path returns 404']
const TERMS = {
  criteria: CRITERIA,
  changedLines: { 'src/health.ts': [[10, 20]] as const },
  by: 'critic-001',
  commit: 'abc',
}
const NOTHING = { issues: [], failedCriteria: [], requiredFixes: [] }

function texts(findings: readonly { text: string }[]): string[] {
  return findings.map(({ text }) => text)
}

describe('a finding', () => {
  it.each([
    ['on a touched line', { file: 'src/health.ts', line: 10, issue: 'x' }, true],
    ['on the last touched line', { file: './src/health.ts', line: 20, issue: 'x' }, true],
    ['just below', { file: 'src/health.ts', line: 21, issue: 'x' }, false],
    ['in a touched file, without a line', { file: 'src/health.ts', line: null, issue: 'x' }, false],
    ['in another file', { file: 'src/other.ts', line: 12, issue: 'x' }, false],
    ['on a name that objects inherit', { file: 'constructor', line: 1, issue: 'x' }, false],
    ['with a criterion by number', { file: null, line: null, issue: 'criterion 2 is not met' }, true],
    ['with a criterion as prompts number it', { file: null, line: null, issue: 'breaks C2' }, true],
    ['with a small c', { file: null, line: null, issue: 'c1 is a bad name' }, false],
    ['with a language of that name', { file: null, line: null, issue: 'C99 would do' }, false],
    ['with a number that no criterion has', { file: null, line: null, issue: 'criterion 9' }, false],
    ['that quotes a criterion', { file: null, line: null, issue: '"Get /health returns 200" fails' }, true],
    ['of taste', { file: null, line: null, issue: 'I would use another framework' }, false],
  ])('%s blocks only by a criterion or a touched line', (_, issue, isBlocking) => {
    const { blocking, aside } = judgeComplaint({ ...NOTHING, issues: [issue] }, TERMS)
    expect([blocking.length, aside.length]).toEqual(isBlocking ? [1, 0] : [0, 1])
  })

  it('brings its fixes along when it blocks, and leaves them when it does not', () => {
    const requiredFixes = ['close the file']
    const touched = { file: 'src/health.ts', line: 12, issue: 'leak' }
    const far = { file: 'src/far.ts', line: 1, issue: 'old' }
    const mixed = judgeComplaint({ ...NOTHING, issues: [touched, far], requiredFixes }, TERMS)
    expect(texts(mixed.blocking)).toEqual(['leak', 'close the file'])
    expect(texts(mixed.aside)).toEqual(['old'])
    const apart = judgeComplaint({ ...NOTHING, issues: [far], requiredFixes }, TERMS)
    expect(texts(apart.blocking)).toEqual([])
    expect(texts(apart.aside)).toEqual(['old'])
    expect(texts(judgeComplaint({ ...NOTHING, requiredFixes }, TERMS).aside)).toEqual(requiredFixes)
  })

  it('of an auditor blocks when the criterion is one of the task', () => {
    const entry = (criterion: string) => ({ criterion, verdict: 'FAILED', evidence: 'got 500' })
    const failedCriteria = [entry('an unknown path returns 404'), entry('it is fast')]
    const { blocking, aside } = judgeComplaint({ ...NOTHING, failedCriteria }, TERMS)
    expect(blocking).toMatchObject([{ criterion: CRITERIA[1], text: 'an unknown path returns 404: got 500' }])
    expect(texts(aside)).toEqual(['it is fast: got 500'])
  })
})

describe('the evidence of an audit', () => {
  const shown = (criterion: string, verdict: string | null, evidence: string | null) => ({
    criterion,
    verdict,
    evidence,
  })

  it('is whole when each criterion is called met and shown', () => {
    const whole = [
      shown('get /health returns 200.', 'VERIFIED', 'curl'),
      shown('Criterion 2', 'PASS', 'test 7'),
    ]
    expect(criteriaWithoutEvidence(CRITERIA, whole)).toEqual([])
  })

  it.each([
    ['unnamed', []],
    ['failed', [shown(CRITERIA[0] ?? '', 'FAILED', 'curl')]],
    ['without evidence', [shown(CRITERIA[0] ?? '', 'VERIFIED', null)]],
    ['without a verdict', [shown(CRITERIA[0] ?? '', null, 'curl')]],
  ])('is missing for a criterion that is %s', (_, entries) => {
    const second = shown(CRITERIA[1] ?? '', 'VERIFIED', 'test 7')
    expect(criteriaWithoutEvidence(CRITERIA, [...entries, second])).toEqual([CRITERIA[0]])
  })
})
