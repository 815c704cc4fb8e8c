import { createContext, useCallback, useContext, useSyncExternalStore } from 'react'
import type {
  LiveRow,
  ProjectRow,
  ProjectWords,
  RowOf,
  ScopeName,
  TimelineEvent,
} from '../../../src/server/contract.ts'
import type { Client } from '../api/client.ts'
import type { Connection, Standing } from './connection.ts'
import type { RowStore } from './row-store.ts'

export interface Wiring {
  readonly client: Client
  readonly rows: RowStore
  readonly connection: Connection
}

export const WiringContext = createContext<Wiring | undefined>(undefined)

export function useWiring(): Wiring {
  const wiring = useContext(WiringContext)
  if (wiring === undefined) throw new Error('nothing is wired above this part')
  return wiring
}

function useTopic<Value>(topic: string, read: (rows: RowStore) => Value): Value {
  const { rows } = useWiring()
  const subscribe = useCallback((listener: () => void) => rows.subscribe(topic, listener), [rows, topic])
  return useSyncExternalStore(subscribe, () => read(rows))
}

export function useProject(): ProjectRow | undefined {
  return useTopic('project', (rows) => rows.project)
}

/** The names of this project's vocabulary; they come with the first snapshot and do not change. */
export function useWords(): ProjectWords | undefined {
  return useTopic('project', (rows) => rows.words)
}

export function useRows<Scope extends ScopeName>(scope: Scope): readonly RowOf<Scope>[] {
  return useTopic(scope, (rows) => rows.list(scope))
}

export function useRow<Scope extends ScopeName>(scope: Scope, key: string): RowOf<Scope> | undefined {
  return useTopic(`${scope}/${key}`, (rows) => rows.row(scope, key))
}

export function useLive(agent: string): LiveRow | undefined {
  return useTopic(`live/${agent}`, (rows) => rows.live(agent))
}

export function useTimeline(): readonly TimelineEvent[] {
  return useTopic('timeline', (rows) => rows.timeline)
}

export function useStanding(): Standing {
  const { connection } = useWiring()
  return useSyncExternalStore(connection.subscribe, () => connection.standing)
}
