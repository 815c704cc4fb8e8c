import { describe, expect, it } from 'vitest'
import { parseSignals } from '../signals/signal-parser.ts'
import { rowOf } from './show-signal.ts'

function shown(text: string) {
  const [signal] = parseSignals([text], { names: { tag: 'axiom', names: {} } }).signals
  return signal && rowOf(signal)
}

describe('what people see of an agent at work', () => {
  it.each([
    ['<axiom>PROGRESS:40</axiom>', { progress: 40 }],
    [
      'CHECKPOINT: task-001\n\nProgress: 60%\nCurrent Activity: writing the tests\n',
      { progress: 60, activity: 'writing the tests' },
    ],
    ['CHECKPOINT: task-001\n\nProgress: nearly there\n', { activity: 'nearly there' }],
    ['CHECKPOINT: task-001\n\nProgress: 900 %\n', { activity: '900 %' }],
    ['<axiom>COMPLETE</axiom>', undefined],
  ])('follows its words: %s', (text, row) => {
    expect(shown(text)).toEqual(row)
  })
})
