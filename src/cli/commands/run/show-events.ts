import type { StateEvent } from '../../../events/state-event.ts'
import type { Notice } from '../../../project/alerts.ts'
import type { Store } from '../../../store/store.ts'
import type { Context } from '../../context.ts'
import { jsonText } from '../../render/json-text.ts'
import { statusMark, typeMark } from '../../render/paint.ts'

/** Prints events as they happen, until disposed of: JSON lines for a program, short lines for people. */
export async function showEvents(context: Context, store: Store): Promise<AsyncDisposable> {
  const over = new AbortController()
  const { cursor } = await store.report()
  const showing = (async () => {
    for await (const item of store.feed(cursor, over.signal)) {
      if ('reset' in item) continue
      for (const event of item.events) showEvent(context, event)
    }
  })()
  return {
    async [Symbol.asyncDispose]() {
      // The last commits are already in the feed; one more store call lets them through before the feed is
      // closed.
      await store.now()
      await new Promise((resolve) => setImmediate(resolve))
      over.abort()
      await showing
    },
  }
}

function showEvent(context: Context, { type, id, at, by, reason, case: subject }: StateEvent): void {
  if (context.json) {
    const { type: caseType, status, parentId } = subject
    context.out(jsonText({ type, id, caseType, status, parentId, at, by, reason }))
    return
  }
  if (!WORTH_A_LINE.includes(subject.type) || type === 'case:updated') return
  const { colors } = context
  const mark = `${typeMark(colors, subject.type)} ${statusMark(colors, subject.status)}`
  context.out(`${colors.dim(at.slice(11, 19))} ${mark} ${id} ${colors.dim(reason)}`)
}

const WORTH_A_LINE: readonly string[] = ['task', 'pending', 'operation', 'discovery']

export function showNotice(context: Context, notice: Notice): void {
  if (context.json) context.out(jsonText({ type: 'notice', ...notice }))
  else context.err(`${context.colors.yellow(notice.code)} ${notice.message}`)
}
