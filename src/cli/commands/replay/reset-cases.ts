import { isObject, type JsonObject } from '../../../config/value-path.ts'

/** Metadata that runs write to a task; a replay starts without it. */
const LEFT_BY_RUNS = ['delivery', 'landing', 'run', 'execution', 'words', 'orders', 'spend']

/** The cases with which a replay starts: work in progress is reset, finished work stays. */
export function resetCases(exported: readonly string[]): string[] {
  return exported.map((line) => {
    const subject = JSON.parse(line) as JsonObject
    const isOpenTask = subject.type === 'task' && subject.status !== 'done'
    return JSON.stringify(isOpenTask ? reset(subject) : withoutLeases(subject))
  })
}

function reset(subject: JsonObject): JsonObject {
  const metadata = isObject(subject.metadata) ? subject.metadata : {}
  const kept = Object.entries(metadata).filter(([key]) => !LEFT_BY_RUNS.includes(key))
  return { ...withoutLeases(subject), status: 'pending', metadata: Object.fromEntries(kept) }
}

function withoutLeases({ leases: _, ...subject }: JsonObject): JsonObject {
  return subject
}
