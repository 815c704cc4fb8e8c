import { describe, expect, it } from 'vitest'
import { chooseSignal } from '../signals/choose-signal.ts'
import type { Role } from '../signals/definition.ts'
import { parseSignals } from '../signals/signal-parser.ts'
import { AXIOM_SIGNAL_NAMES } from '../vocabulary/signal-names.ts'
import { objectToVerdict } from './object-to-verdict.ts'

const titlesOf = (role: Role, ...messages: readonly string[]) => {
  const { signals, problems } = parseSignals(messages, { names: AXIOM_SIGNAL_NAMES, role, task: 't-001' })
  const said = chooseSignal(signals)
  if (said === null) throw new Error('no verdict was said')
  return objectToVerdict(said, problems, AXIOM_SIGNAL_NAMES).map(({ title }) => title)
}

const TWO = ['You gave two verdicts']
const UNREAD = ['Your verdict names nothing']

describe('a verdict', () => {
  it.each<[string, Role, string[], string[]]>([
    ['that was refuted before', 'critic', ['REVIEW_FAILED: t-001', 'REVIEW_PASSED: t-001'], TWO],
    ['of an audit that was refuted before', 'auditor', ['AUDIT_FAILED: t-001', 'AUDIT_PASSED: t-001'], TWO],
    [
      'of health that was refuted before',
      'health-auditor',
      ['HEALTH_AUDIT: UNHEALTHY', 'HEALTH_AUDIT: HEALTHY'],
      TWO,
    ],
    ['that was said before', 'critic', ['REVIEW_PASSED: t-001', 'REVIEW_PASSED: t-001'], []],
    ['that stands alone', 'critic', ['REVIEW_PASSED: t-001'], []],
    [
      'that fails the work and names an issue',
      'critic',
      ['REVIEW_FAILED: t-001\n\nIssues Found:\n- odd'],
      [],
    ],
    [
      'that fails the work and names a fix',
      'critic',
      ['REVIEW_FAILED: t-001\n\nRequired Fixes:\n- mend'],
      [],
    ],
    [
      'that names its issues above itself',
      'critic',
      ['Issues Found:\n- odd\n\nREVIEW_FAILED: t-001'],
      UNREAD,
    ],
    ['that fails the work without a word', 'critic', ['REVIEW_FAILED: t-001'], UNREAD],
  ])('%s', (_, role, messages, titles) => {
    expect(titlesOf(role, ...messages)).toEqual(titles)
  })
})
