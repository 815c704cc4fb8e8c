import { assemblePrompt } from '../src/personas/assemble-prompt.ts'
import { toolshedInput } from '../test/toolshed.ts'
import { atLeast, type Report } from './measure.ts'

/**
 * How much of a second iteration's prompt a provider can take from its cache, after feedback and a new
 * discovery.
 */
export async function run(report: Report): Promise<void> {
  const second = toolshedInput('developer')
  const first = { ...second, discoveries: second.discoveries.slice(0, -1), iteration: { number: 1 } }
  const before = Buffer.from(assemblePrompt(first).text)
  const after = Buffer.from(assemblePrompt(second).text)
  const value = commonPrefix(before, after)
  const limit = after.length
  const ratio = value / limit
  const metric = "share of a second iteration's prompt that is a byte-identical prefix of the first"
  report({ name: 'prompt', metric, value, unit: 'bytes', limit, ratio, ...atLeast(0.8)(ratio) })
}

function commonPrefix(a: Buffer, b: Buffer): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1
  return length
}
