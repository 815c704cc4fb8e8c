import { describe, expect, it } from 'vitest'
import { AXIOM } from '../vocabulary/axiom.ts'
import { effectiveRule, type SharedRule, sharedRules } from './shared-rules.ts'

function rule(file: string): SharedRule {
  const found = sharedRules(AXIOM).find((candidate) => candidate.file === file)
  if (!found) throw new Error(`no rule is named ${file}`)
  return found
}

describe('the shared rules', () => {
  it('hold as they are when nobody changed them, or only white space', () => {
    const signals = rule('signal-types.md')
    expect(effectiveRule(signals, undefined)).toEqual({ text: signals.text, added: [], ignored: false })
    expect(effectiveRule(signals, `${signals.text.replaceAll('\n', '\r\n')}\n`).ignored).toBe(false)
  })

  it('ignore a change of the protocol and say so', () => {
    const signals = rule('signal-types.md')
    const own = signals.text.replaceAll('COMPLETE', 'FINISHED')
    expect(effectiveRule(signals, own)).toEqual({ text: signals.text, added: [], ignored: true })
  })

  it('take further categories of discoveries, and nothing else of that file', () => {
    const format = rule('discovery-format.md')
    const own = format.text.replace('- general', '- general\n- security').replace('One line:', 'Many lines:')
    const effective = effectiveRule(format, own)
    expect(effective.added).toEqual(['- security'])
    expect(effective.text).toContain('- general\n- security\n')
    expect(effective.text).toContain('One line:')
    expect(effective.ignored).toBe(true)
  })

  it('take further commit types while the required format stands', () => {
    const format = rule('commit-format.md')
    const own = format.text.replace('- `test:` - tests only', '* `docs:` - documentation only')
    const effective = effectiveRule(format, own)
    expect(effective.added).toEqual(['- `docs:` - documentation only'])
    expect(effective.text).toContain('- `test:` - tests only\n- `docs:` - documentation only\n')
  })

  it('take further verification', () => {
    const protocol = rule('completion-protocol.md')
    const own = protocol.text.replace('\n## When You', '- `npm run licences`\n\n## When You')
    const effective = effectiveRule(protocol, own)
    expect(effective).toMatchObject({ added: ['- `npm run licences`'], ignored: false })
    expect(effective.text).toMatch(/exit code 0\n- `npm run licences`\n\n## When You/)
  })

  it('stand even where the file was emptied', () => {
    const protocol = rule('completion-protocol.md')
    expect(effectiveRule(protocol, '')).toEqual({ text: protocol.text, added: [], ignored: true })
  })
})
