import { describe, expect, it } from 'vitest'
import { movesFrom } from '../src/cases/statuses.ts'
import { DELIVERY_STATES, type DeliveryStateName } from '../src/delivery/delivery-state.ts'
import { type Move, movesFor, WORK } from '../src/delivery/delivery-table.ts'
import { statusOf } from '../src/delivery/delivery-traits.ts'
import { DELIVERY_SIGNALS, type DeliverySignal, type Sender } from '../src/delivery/occurrence.ts'
import { ROLES } from '../src/signals/definition.ts'
import { expectGolden } from './golden.ts'

const SENDERS: readonly Sender[] = [...ROLES, 'person']
const PAIRS_PER_STATE = DELIVERY_SIGNALS.length * SENDERS.length

interface Defined {
  readonly state: DeliveryStateName
  readonly signal: DeliverySignal
  readonly sender: Sender
  readonly moves: readonly Move[]
}

const ALL: readonly Defined[] = DELIVERY_STATES.flatMap((state) =>
  DELIVERY_SIGNALS.flatMap((signal) =>
    SENDERS.flatMap((sender) => {
      const moves = movesFor(state, signal, sender)
      return moves ? [{ state, signal, sender, moves }] : []
    }),
  ),
)

/** What a state may be waiting to return to, found by following the table from the beginning. */
function reachable(): { state: DeliveryStateName; resume: readonly DeliveryStateName[] }[] {
  const seen = new Map<string, { state: DeliveryStateName; resume: readonly DeliveryStateName[] }>()
  const open: { state: DeliveryStateName; resume: readonly DeliveryStateName[] }[] = [
    { state: 'queued', resume: [] },
  ]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const key = [at.state, ...at.resume].join(' ')
    if (seen.has(key)) continue
    seen.set(key, at)
    for (const { state, moves } of ALL)
      if (state === at.state) open.push(...moves.map((move) => follow(at, move)))
  }
  return [...seen.values()]
}

const REACHABLE = reachable()

function follow(
  at: { state: DeliveryStateName; resume: readonly DeliveryStateName[] },
  { to, back, drops }: Move,
): { state: DeliveryStateName; resume: readonly DeliveryStateName[] } {
  if (to === 'stay') return at
  if (drops) return { state: to as DeliveryStateName, resume: at.resume.slice(0, -1) }
  if (to === 'resume') return { state: at.resume.at(-1) ?? 'queued', resume: at.resume.slice(0, -1) }
  return {
    state: to,
    resume: back === undefined ? at.resume : [...at.resume, back === 'here' ? at.state : back],
  }
}

function render(): string {
  const lines = [
    'Delivery: what each word does in each state. Pairs that are not listed are refused and logged.',
    'Moves are tried from the top; the first whose condition holds is taken. Discoveries, markers, and the words',
    'of planners and resolvers belong to other stages and never come here. In brackets: the status of the task afterwards.',
  ]
  for (const state of DELIVERY_STATES) {
    const defined = ALL.filter((entry) => entry.state === state)
    lines.push('', `== ${state} ==`, ...heading(state))
    for (const { signal, sender, moves } of defined) {
      lines.push(`  ${signal}  by ${sender}`, ...moves.map((move) => `      ${describeMove(state, move)}`))
    }
    lines.push(`  refused: ${PAIRS_PER_STATE - defined.length} of ${PAIRS_PER_STATE} pairs`)
  }
  return `${lines.join('\n')}\n`
}

function heading(state: DeliveryStateName): string[] {
  const stacks = REACHABLE.filter((at) => at.state === state)
  const statuses = [...new Set(stacks.map((at) => statusOf(at.state, at.resume)))].toSorted()
  const work = WORK[state]
  const who = work ? `; at work: ${work.role}, lease: ${work.stage ?? 'none'}` : '; nobody at work'
  return [`  task is ${statuses.join(' or ')}${who}`]
}

function describeMove(state: DeliveryStateName, move: Move): string {
  const { when, to, back, frees, flags } = move
  const target = to === 'stay' ? `stays ${state}` : to === 'resume' ? '→ what it interrupted' : `→ ${to}`
  const ends = REACHABLE.filter((at) => at.state === state).map((at) => follow(at, move))
  const statuses = [...new Set(ends.map((end) => statusOf(end.state, end.resume)))].toSorted().join('|')
  const returns = back === undefined ? '' : `, then back to ${back === 'here' ? state : back}`
  const lease = WORK[state]?.stage ? (frees ? '; frees its lease' : '; keeps its lease') : ''
  return `${when}: ${target}${returns} [${statuses}]${lease}${flags.length > 0 ? `; ${flags.join(', ')}` : ''}`
}

describe('the table of delivery', () => {
  it('gives every (state, signal, sender) the outcome that stands in test/golden/delivery/table.txt', () => {
    expectGolden('delivery/table.txt', render())
  })

  it('ends every row with a move that is always open', () => {
    const openEnded = ALL.filter(({ moves }) => moves.at(-1)?.when !== 'always')
    // A refuted audit always has one of the three faults.
    expect(openEnded.map(({ signal }) => signal)).toEqual(['REFUTED'])
  })

  it('reaches every state, and leaves every state but landed by a word of the director or the person', () => {
    expect(new Set(REACHABLE.map(({ state }) => state))).toEqual(new Set(DELIVERY_STATES))
    for (const state of DELIVERY_STATES) {
      const exits = ALL.filter(
        (entry) =>
          entry.state === state &&
          (entry.sender === 'director' || entry.sender === 'person') &&
          entry.moves.some(({ to }) => to !== 'stay'),
      )
      expect(exits.length > 0, state).toBe(state !== 'landed')
    }
  })

  it('asks of the cases only moves of status that their laws allow', () => {
    for (const at of REACHABLE) {
      const from = statusOf(at.state, at.resume)
      for (const { moves, signal } of ALL.filter(({ state }) => state === at.state)) {
        for (const move of moves) {
          const next = follow(at, move)
          const to = statusOf(next.state, next.resume)
          const isLawful = to === from || movesFrom('task', from).includes(to)
          expect(isLawful, `${at.state} ${signal}: ${from} → ${to}`).toBe(true)
        }
      }
    }
  })

  it('lets the tags do what their line signals do', () => {
    const pairs = [
      ['COMPLETE', 'READY_FOR_REVIEW'],
      ['BLOCKED', 'TASK_INCOMPLETE'],
      ['PENDING', 'SEEKING_DIVINE_CLARIFICATION'],
    ] as const
    for (const [tag, line] of pairs) {
      const moves = movesFor('developing', tag, 'developer')
      expect(moves).toBeDefined()
      expect(moves).toEqual(movesFor('developing', line, 'developer'))
    }
  })

  it('gives no reviewer, and no agent at all, a way to land', () => {
    const landing = ALL.filter(({ moves }) => moves.some(({ to }) => to === 'landed' || to === 'integrating'))
    expect(new Set(landing.map(({ sender }) => sender))).toEqual(new Set(['director', 'person']))
  })
})
