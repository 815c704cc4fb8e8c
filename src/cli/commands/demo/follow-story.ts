import type { Case } from '../../../cases/case.ts'
import type { Store } from '../../../store/store.ts'
import { type StoryLine, tellStory } from './tell-story.ts'

/** Reports every change of the cases as it is committed, until the signal aborts. */
export async function followStory(
  store: Store,
  tell: (line: StoryLine) => void,
  signal: AbortSignal,
): Promise<void> {
  const known = new Map<string, Case>()
  for await (const item of store.feed(undefined, signal)) {
    if ('reset' in item) {
      for (const subject of await store.query({})) known.set(subject.id, subject)
      continue
    }
    for (const { case: after } of item.events) {
      const before = known.get(after.id)
      // One commit gives several events of one case, each with the case as it is after all of them.
      if (before?.rev === after.rev) continue
      for (const line of tellStory(before, after)) tell(line)
      known.set(after.id, after)
    }
  }
}
