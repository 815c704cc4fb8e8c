import type { Desk, Means } from '../src/director/context.ts'
import type { Hands } from '../src/director/hands.ts'
import type { Notice } from '../src/project/alerts.ts'
import type { Store } from '../src/store/store.ts'
import { NOW_MS, sceneOf } from './director-scene.ts'

export interface TestDesk extends Desk {
  readonly notices: readonly Notice[]
}

/** A director's desk over a store, to carry out one effect; hands that are not given fail when they are used. */
export function deskOf(store: Store, hands: Partial<Hands> = {}, over: Partial<Desk> = {}): TestDesk {
  const notices: Notice[] = []
  const means: Partial<Means> = {
    store,
    hands: hands as Hands,
    clock: { now: () => NOW_MS, sleepUntil: async () => undefined },
    notify: (notice) => void notices.push(notice),
  }
  return {
    means: means as Means,
    snapshot: () => sceneOf([]),
    controlOf: () => undefined,
    hold: () => undefined,
    remember: () => undefined,
    want: () => undefined,
    retire: () => undefined,
    rest: () => undefined,
    ...over,
    notices,
  }
}
