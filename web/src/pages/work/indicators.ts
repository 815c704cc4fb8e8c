import type { AgentIndicator } from '../../../../src/server/contract.ts'

interface Look {
  readonly word: string
  readonly sign: string
  readonly border: string
  readonly text: string
}

/** Each state has a symbol and a word; the border repeats it for a quick glance. */
export const INDICATORS: Readonly<Record<AgentIndicator, Look>> = {
  idle: { word: 'idle', sign: '○', border: 'border-line', text: 'text-soft' },
  running: { word: 'running', sign: '●', border: 'border-accent', text: 'text-accent' },
  waiting: { word: 'waiting', sign: '◷', border: 'border-wait', text: 'text-wait' },
  paused: { word: 'paused', sign: '‖', border: 'border-warn', text: 'text-warn' },
  completed: { word: 'completed', sign: '✓', border: 'border-good', text: 'text-good' },
  failed: { word: 'failed', sign: '✕', border: 'border-bad', text: 'text-bad' },
}
