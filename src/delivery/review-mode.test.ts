import { describe, expect, it } from 'vitest'
import { personsPart, type ReviewMode, type ReviewRules, reviewModeOf } from './review-mode.ts'

const rules = (
  defaultMode: ReviewMode,
  labels: Record<string, ReviewMode> = {},
  maxIterations = 3,
): ReviewRules => ({ defaultMode, labels, autoApprove: { maxIterations } })

const smooth = { iterations: 3, checksGreen: true, hadStop: false }

describe('the mode of a review', () => {
  it('is the default where no label has a rule', () => {
    expect(reviewModeOf(['docs'], rules('batch', { security: 'per-task' }))).toBe('batch')
    expect(reviewModeOf([], rules('skip'))).toBe('skip')
  })

  it('is the most restrictive of the default and of the labels that have one', () => {
    const labels = { docs: 'skip', api: 'auto-approve', ui: 'batch', security: 'per-task' } as const
    expect(reviewModeOf(['docs', 'api'], rules('batch', labels))).toBe('batch')
    expect(reviewModeOf(['docs'], rules('per-task', labels))).toBe('per-task')
    expect(reviewModeOf(['docs', 'api'], rules('skip', labels))).toBe('auto-approve')
    expect(reviewModeOf(['api', 'ui'], rules('skip', labels))).toBe('batch')
    expect(reviewModeOf(['ui', 'security', 'docs'], rules('skip', labels))).toBe('per-task')
  })

  it('takes no rule from what every object inherits', () => {
    expect(reviewModeOf(['constructor', 'toString'], rules('batch'))).toBe('batch')
  })
})

describe("the person's part", () => {
  it.each([
    ['per-task', 'alone', 'alone'],
    ['batch', 'none', 'together'],
    ['auto-approve', 'none', 'alone'],
    ['skip', 'none', 'none'],
  ] as const)('in %s: %s when all went smoothly, else %s', (mode, ifSmooth, otherwise) => {
    expect(personsPart([], smooth, rules(mode))).toBe(ifSmooth)
    expect(personsPart([], { ...smooth, iterations: 4 }, rules(mode))).toBe(otherwise)
    expect(personsPart([], { ...smooth, checksGreen: false }, rules(mode))).toBe(otherwise)
    expect(personsPart([], { ...smooth, hadStop: true }, rules(mode))).toBe(otherwise)
  })
})
