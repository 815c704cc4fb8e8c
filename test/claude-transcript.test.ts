import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type AgentEvent, NEW_SESSION } from '../src/agents/driver.ts'
import { ClaudeReader } from '../src/agents/drivers/claude-reader.ts'
import { JsonLines } from '../src/agents/json-lines.ts'
import { expectGolden } from './golden.ts'

const golden = resolve(import.meta.dirname, 'golden/claude')

/** Reads a transcript in chunks of a size that cuts lines and characters anywhere. */
function read(transcript: Buffer, chunkBytes: number) {
  const events: AgentEvent[] = []
  const emit = (event: AgentEvent) => events.push(event)
  const reader = new ClaudeReader(emit, { ...NEW_SESSION, id: 'given', costUsd: 0.01 })
  const lines = new JsonLines((object, raw) => reader.take(object, raw), emit)
  for (let at = 0; at < transcript.length; at += chunkBytes)
    lines.push(transcript.subarray(at, at + chunkBytes))
  lines.flush()
  return { events, end: reader.conclude({ exitCode: 0, signal: undefined, words: '' }, lines.understood) }
}

describe('a transcript of claude', () => {
  const transcript = readFileSync(resolve(golden, 'transcript.jsonl'))
  const whole = read(transcript, transcript.length)

  it('is read as it stands in the golden file', () => {
    const lines = [...whole.events, whole.end].map((event) => JSON.stringify(event))
    expectGolden('claude/events.jsonl', `${lines.join('\n')}\n`)
  })

  it.each([1, 7, 64, 1000])('is read the same in chunks of %i bytes', (chunkBytes) => {
    expect(read(transcript, chunkBytes)).toEqual(whole)
  })
})
