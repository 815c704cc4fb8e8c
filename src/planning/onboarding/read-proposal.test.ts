import { describe, expect, it } from 'vitest'
import { readProposal } from './read-proposal.ts'

const block = (value: unknown): string =>
  `Here it is.\n\n\`\`\`json\n${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}\n\`\`\`\n\n<axiom>AVA_COMPLETE</axiom>`

function faultsOf(...messages: string[]): readonly string[] {
  const reading = readProposal(messages)
  return reading.kind === 'faulty' ? reading.faults : []
}

describe('a proposal', () => {
  it('is read from the last json block, with every check in one form', () => {
    const quoted = block({ name: 'a', scripts: { test: 'node --test' } })
    const proposed = block({
      verification: ['npm test', { name: 'lint', command: 'npm run lint', required: false }],
      workspace: { setup: ['npm ci'], variables: { PORT: '{slot+3000}' }, copy: ['.env'] },
      integration: { target: 'main' },
    })
    expect(readProposal([quoted, proposed])).toEqual({
      kind: 'proposal',
      proposal: {
        checks: [
          { name: 'npm test', command: 'npm test', timeout: 300, required: true, environments: {} },
          { name: 'lint', command: 'npm run lint', timeout: 300, required: false, environments: {} },
        ],
        setup: ['npm ci'],
        variables: { PORT: '{slot+3000}' },
        copy: ['.env'],
        target: 'main',
      },
    })
  })

  it('that says nothing of the set-up leaves it to the rules', () => {
    expect(readProposal([block({ verification: [] })])).toEqual({
      kind: 'proposal',
      proposal: { checks: [], variables: {}, copy: [] },
    })
  })

  it('is found in a later message than it was said in, and behind Windows line ends', () => {
    const messages = [block({ verification: ['make'] }).replaceAll('\n', '\r\n'), 'That is all.']
    expect(readProposal(messages)).toMatchObject({ kind: 'proposal' })
  })

  it.each([
    ['nothing at all', 'I am done.', ['there is no fenced json block with the configuration']],
    [
      'a block without its end',
      '```json\n{"verification": []}',
      ['there is no fenced json block with the configuration'],
    ],
    [
      'broken JSON',
      block('{"verification": ["a",]}'),
      [expect.stringContaining('the json block is no JSON')],
    ],
    ['a list', block([]), ['the json block must hold one object']],
    ['no checks', block({}), ['verification is missing; an empty list must be written out']],
    [
      'one check twice',
      block({ verification: ['a', { name: 'b', command: 'a' }] }),
      ['"a" stands twice in verification'],
    ],
    ['two lines', block({ verification: ['a\nb'] }), ['"a\\nb" is not one line of visible text']],
    [
      'a file outside',
      block({ verification: [], workspace: { copy: ['../x', '/etc/passwd'] } }),
      [
        'workspace.copy: "../x" is no path inside the repository',
        'workspace.copy: "/etc/passwd" is no path inside the repository',
      ],
    ],
    [
      'the sandbox',
      block({ verification: [], sandbox: { level: 'process-group' } }),
      ['sandbox is not for you to propose'],
    ],
    [
      'a hidden key',
      block('{"verification": [], "__proto__": {"x": 1}}'),
      [expect.stringContaining('__proto__')],
    ],
  ])('of %s is given back', (_name, message, faults) => {
    expect(faultsOf(message)).toEqual(faults)
  })

  it('names every fault at once, each by its key', () => {
    const faults = faultsOf(
      block({
        verification: [
          { command: '', timeout: 0 },
          { command: 'a', tiemout: 5 },
        ],
        workspace: { setup: 'npm ci', retentionDays: 3 },
        integration: { mode: 'force', remote: 'origin' },
        agents: { driver: 'sim' },
      }),
    )
    const text = faults.join('\n')
    for (const key of [
      'agents',
      'workspace.retentionDays',
      'integration.remote',
      'verification[0]',
      'verification[1].tiemout',
      'workspace.setup',
      'integration.mode',
    ]) {
      expect(text).toContain(key)
    }
    expect(text).not.toMatch(/is used|left out|ignored/)
  })
})
