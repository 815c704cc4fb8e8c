import type { Case, Stage } from '../src/cases/case.ts'
import { configSchema } from '../src/config/schema.ts'
import {
  DELIVERY_KEY,
  type DeliveryState,
  type DeliveryStateName,
  newDelivery,
} from '../src/delivery/delivery-state.ts'
import { statusOf } from '../src/delivery/delivery-traits.ts'
import { View } from '../src/director/case-view.ts'
import { rulesOf } from '../src/director/open/rules-of.ts'
import type { ChoreMemory, Snapshot } from '../src/director/snapshot.ts'
import { NO_HEALTH } from '../src/health/decide-health.ts'
import { CLEAR } from '../src/integration/weather.ts'
import { newProject, type Project } from '../src/project/document.ts'
import { CLAIMED_KEY } from '../src/project/effective-delivery.ts'

export const AT = '2026-01-01T12:00:00.000Z'
export const NOW_MS = Date.parse(AT)
export const MINUTE_MS = 60_000

/** A commit that reads like its task. */
export const commitOf = (number: number): string => String(number).padStart(40, 'c')

export function instant(minutesFromNow: number): string {
  return new Date(NOW_MS + minutesFromNow * MINUTE_MS).toISOString()
}

export function aTask(number: number, fields: Partial<Case> = {}): Case {
  const id = `task-00${number}`
  return {
    id,
    uid: id,
    rev: 1,
    type: 'task',
    status: 'pending',
    content: id,
    parentId: 'op-001',
    createdAt: AT,
    updatedAt: AT,
    ...fields,
    metadata: { acceptanceCriteria: ['GET /health returns 200'], ...fields.metadata },
  }
}

/** A task at one place of delivery, held as it is there. */
export function aTaskIn(
  number: number,
  state: DeliveryStateName,
  {
    delivery = {},
    stages = ['develop'],
    ...fields
  }: Partial<Case> & {
    readonly delivery?: Partial<DeliveryState>
    readonly stages?: readonly Stage[]
  } = {},
): Case {
  const place: DeliveryState = { ...newDelivery(), commit: commitOf(number), ...delivery, state }
  const leases = Object.fromEntries(
    stages.map((stage, i) => [
      stage,
      { holder: `${stage}-00${number}`, fence: i + 1, expiresAt: instant(1) },
    ]),
  )
  return aTask(number, {
    status: statusOf(state, place.resume),
    fence: stages.length,
    ...(stages.length > 0 ? { leases } : {}),
    ...fields,
    metadata: {
      [DELIVERY_KEY]: place,
      ...(stages.includes('develop') ? { [CLAIMED_KEY]: 1 } : {}),
      ...fields.metadata,
    },
  })
}

export interface SceneWishes {
  readonly project?: Partial<Project>
  readonly config?: Parameters<typeof configSchema.parse>[0]
  readonly slots?: number
  readonly nonInteractive?: boolean
  readonly memory?: Partial<ChoreMemory>
  /** When chores last ran, where that is not just now. */
  readonly ranAtMs?: ChoreMemory['ranAtMs']
  readonly wanted?: readonly string[]
  readonly over?: Partial<Omit<Snapshot, 'view' | 'project' | 'rules' | 'memory'>>
  readonly operation?: Partial<Case>
}

/** What a director would see of these tasks: nothing else to do, three slots, autopilot. */
export function sceneOf(tasks: readonly Case[], wishes: SceneWishes = {}): Snapshot {
  const { project = {}, config = {}, slots = 3, nonInteractive = true, memory = {}, over = {} } = wishes
  const view = new View()
  const operation = {
    ...aTask(0),
    id: 'op-001',
    uid: 'op-001',
    type: 'operation',
    parentId: null,
    ...wishes.operation,
  } as const
  view.load([operation, ...tasks].map((subject) => ({ ...subject, childIds: [] })))
  return {
    view,
    project: { ...newProject(), mode: 'autopilot', ...project },
    rules: rulesOf(configSchema.parse(config), { slots, nonInteractive }),
    memory: {
      ranAtMs: {
        'renew-leases': NOW_MS,
        'take-in': NOW_MS,
        'forecast-conflicts': NOW_MS,
        'write-spec-progress': NOW_MS,
        'guard-repository': Number.POSITIVE_INFINITY,
        ...wishes.ranAtMs,
      },
      wanted: new Set(wishes.wanted),
      health: { ...NO_HEALTH, checkedAt: AT },
      remoteTarget: null,
      weather: CLEAR,
      toldVersion: view.version,
      ...memory,
    },
    atWork: new Map(),
    inherited: new Set(),
    resting: new Map(),
    nowMs: NOW_MS,
    leaving: 'no',
    ...over,
  }
}
