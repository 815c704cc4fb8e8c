import { rawOf } from './clean-text.ts'
import type { ProblemCode } from './problem-code.ts'
import { REGISTRY, type SignalName } from './registry.ts'

export interface MemberStatus {
  readonly name: string
  readonly status: string
  readonly gridPosition: number
}

export interface TeamStatus {
  readonly agents: readonly MemberStatus[]
}

/** An identity as the lead reports it; what it does not say stays open. */
export interface MemberIdentity {
  readonly name: string
  readonly gridPosition: number
  readonly [detail: string]: unknown
}

export type MarkerReading =
  | {
      readonly kind: 'marker'
      readonly name: SignalName
      readonly payload: string
      readonly body: TeamStatus | MemberIdentity
    }
  | {
      readonly kind: 'fault'
      readonly code: ProblemCode
      readonly type: string
      readonly raw: string
      readonly reason: string
    }

const SEATS = 9
const INCOMING = REGISTRY.filter(({ notation, payload }) => notation === 'marker' && payload === 'json')

export const MARKER_NAMES: readonly string[] = INCOMING.map(({ name }) => name)

const BY_NAME: ReadonlyMap<string, SignalName> = new Map(INCOMING.map(({ name }) => [name, name]))
const HEAD = /^\[([A-Z_]+)\](.*)$/s

export function readMarker(line: string): MarkerReading | null {
  const match = HEAD.exec(line)
  const name = BY_NAME.get(match?.[1] ?? '')
  if (match === null || name === undefined) return null
  const text = (match[2] ?? '').trim()
  const fault = (code: ProblemCode, reason: string): MarkerReading => ({
    kind: 'fault',
    code,
    type: name,
    raw: rawOf(line),
    reason,
  })
  if (text === '') return fault('SIGNAL_MISSING_PAYLOAD', 'a JSON object must follow on this line')
  const value = parseJson(text)
  if (value === undefined) return fault('SIGNAL_INVALID_PAYLOAD', 'what follows is not valid JSON')
  const body = name === 'AGENT_STATUS' ? readStatus(value) : readIdentity(value)
  if (body === null) return fault('SIGNAL_INVALID_PAYLOAD', 'the JSON does not have the form of this marker')
  return { kind: 'marker', name, payload: text, body }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readStatus(value: unknown): TeamStatus | null {
  if (!isRecord(value) || !Array.isArray(value.agents) || value.agents.length > SEATS) return null
  const agents = value.agents.map(readMember)
  return agents.every((agent) => agent !== null) ? { agents } : null
}

function readMember(value: unknown): MemberStatus | null {
  if (!isRecord(value)) return null
  const { name, status, gridPosition } = value
  if (typeof name !== 'string' || typeof status !== 'string' || !isSeat(gridPosition)) return null
  return { name, status, gridPosition }
}

function readIdentity(value: unknown): MemberIdentity | null {
  if (!isRecord(value)) return null
  const { name, gridPosition } = value
  if (typeof name !== 'string' || name.trim() === '' || !isSeat(gridPosition)) return null
  return { ...value, name, gridPosition }
}

function isSeat(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < SEATS
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
