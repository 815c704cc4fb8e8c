import { View } from '../../src/director/case-view.ts'
import { entryOf } from '../../src/director/land/choose-landings.ts'
import { sinceOf } from '../../src/director/land/queued-work.ts'
import { rulesOf } from '../../src/director/open/rules-of.ts'
import type { SeenWorld } from '../../src/director/run-world.ts'
import type { Entry } from '../../src/integration/entry.ts'
import { sceneOf } from '../director-scene.ts'

/** What a director would land of a store: every task that waits at the target, the longest waiting first. */
export async function queuedEntries({ store, config }: SeenWorld): Promise<Entry[]> {
  const view = new View()
  view.load(await store.query({}))
  const rules = rulesOf(config, { nonInteractive: true })
  const rows = [...view.in('integrating')].toSorted((a, b) => sinceOf(a.task).localeCompare(sinceOf(b.task)))
  return rows.flatMap((row) => entryOf({ ...sceneOf([]), view, rules }, row) ?? [])
}
