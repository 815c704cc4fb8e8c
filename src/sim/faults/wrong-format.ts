import type { Stage } from '../stage.ts'
import type { StepOf } from '../step.ts'

/** Lines that are invalid in the dialect; a correct reader continues after them. */
const LINES = [
  '{"type":"assistant","message":{"id":"torn","content":[{"type":"text","te',
  'Warning: this is not JSON at all',
  '',
  '[]',
  'null',
  '42',
  '{"type":42}',
  '{"no":"type"}',
  '{"type":"assistant"}',
  '{"type":"assistant","message":{"id":"x","content":"not a list"}}',
  '{"type":"user","message":null}',
  '{"type":"system","subtype":"something_of_the_future","value":[1,2,3]}',
  '{"type":"event_of_the_future","nested":{"deep":[{}]}}',
  '\u0000\u001b[31mred\u001b[0m\r',
] as const

export function playWrongFormat(_step: StepOf<'wrong-format'>, stage: Stage): void {
  for (const line of LINES) stage.stream.raw(`${line}\n`)
}
