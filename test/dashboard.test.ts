import { createColors } from 'picocolors'
import { expect, it } from 'vitest'
import type { Case } from '../src/cases/case.ts'
import { drawDashboard } from '../src/cli/commands/watch/draw-dashboard.ts'
import { facesOf } from '../src/cli/render/agent-face.ts'
import { textWidth } from '../src/cli/render/text-width.ts'
import type { LiveRow } from '../src/events/live-row.ts'
import { type Summary, summarise } from '../src/events/summary.ts'
import { AXIOM } from '../src/vocabulary/axiom.ts'
import { expectGolden } from './golden.ts'

const NOW = '2026-01-01T10:00:00.000Z'

function subject(id: string, content: string, rest: Partial<Case> = {}): Case {
  const times = { createdAt: NOW, updatedAt: NOW }
  const own = { id, type: 'task', status: 'pending', content, parentId: 'op-001', metadata: {} } as const
  return { ...own, ...times, rev: 1, uid: id, ...rest }
}

const lease = (holder: string) => ({ holder, fence: 1, expiresAt: NOW })
const row = (agent: string, task: string, rest: Partial<LiveRow> = {}): LiveRow => {
  return { agent, task, state: 'iteration', iteration: 1, elapsedMs: 7_000, ...rest }
}

function scene(): Summary {
  return summarise({
    now: NOW,
    readyIds: ['task-005'],
    project: { mode: 'autopilot', pause: null },
    cases: [
      subject('task-001', 'Parse the rows of a bank export, whatever it quotes', {
        status: 'active',
        leases: { develop: lease('echo-001') },
      }),
      subject('task-002', 'Summe je Monat – 月別合計', {
        status: 'review',
        leases: { develop: lease('echo-002'), critique: lease('critic-001') },
        metadata: { delivery: { state: 'critique' } },
      }),
      subject('task-003', 'Name the category', {
        status: 'blocked',
        metadata: { delivery: { state: 'asking' }, spend: { microUsd: 1_500_000, runs: 2 } },
      }),
      subject('task-004', 'Render \u001b[2Jthe report', {
        status: 'review',
        leases: { resolve: lease('rex-001') },
        metadata: {
          delivery: { state: 'integrating', verdicts: [{ at: '2026-01-01T09:59:18.000Z' }] },
        },
      }),
      subject('task-005', 'List what it offers'),
      subject('task-006', 'Lay the ground', { status: 'done' }),
      subject('pend-001', 'Count it as other, or leave it out?', {
        type: 'pending',
        metadata: { waitingTask: 'task-003', fallback: 'other' },
      }),
    ],
    live: [
      row('echo-001', 'task-001', { iteration: 3, progress: 65, activity: 'Edit src/csv.js' }),
      row('critic-001', 'task-002'),
      row('rex-001', 'task-004', { warning: 'the same output twice' }),
    ],
    timeline: [{ at: NOW, id: 'task-006', by: 'dex-001', what: 'completed', reason: 'landed' }],
  })
}

function draw(width: number, height: number, colour = false): string[] {
  const easel = { width, height, nowMs: Date.parse(NOW), project: 'ledger', face: facesOf(AXIOM) }
  return drawDashboard({ ...easel, colors: createColors(colour) }, scene())
}

it.each([
  [80, 30],
  [124, 40],
])('The live picture at %d columns', (width, height) => {
  expectGolden(`watch/${width}.txt`, `${draw(width, height).join('\n')}\n`)
})

it('The live picture never exceeds its terminal, and nothing in it steers that', () => {
  for (const [width, height] of [
    [40, 10],
    [60, 14],
    [80, 24],
    [100, 50],
    [200, 60],
  ] as const) {
    const lines = draw(width, height)
    expect(lines.length).toBeLessThanOrEqual(height)
    for (const line of lines) expect(textWidth(line), line).toBeLessThanOrEqual(width)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what is looked for
    expect(lines.join('')).not.toMatch(/\u001b/)
  }
  expect(draw(80, 24, true).join('')).toContain('\u001b[38;5;39m')
})
