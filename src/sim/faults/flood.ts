import type { Stage } from '../stage.ts'
import type { StepOf } from '../step.ts'

const CHUNK_BYTES = 64 * 1024
const SPEECH_CHARACTERS = 8 * 1024

/** Prints huge output, in one of the forms that break a careless reader. */
export async function playFlood(step: StepOf<'flood'>, stage: Stage): Promise<void> {
  if (step.form === 'speech' || step.form === 'tool-result') await floodDialect(step, stage)
  else await floodRaw(step)
}

async function floodDialect(step: StepOf<'flood'>, stage: Stage): Promise<void> {
  const text = 'so many words '.repeat(SPEECH_CHARACTERS / 14)
  for (let sent = 0; sent < step.bytes; sent += text.length) {
    if (step.form === 'speech') stage.stream.speech(text)
    else stage.stream.toolResult(stage.stream.toolUse('Bash', { command: 'cat' }), text, false)
    await stage.stream.flush()
    if (stage.abort.aborted) return
  }
}

async function floodRaw(step: StepOf<'flood'>): Promise<void> {
  const chunk = Buffer.alloc(CHUNK_BYTES, step.form === 'binary' ? 0xff : 'x')
  if (step.form === 'short-lines') for (let i = 1; i < chunk.length; i += 8) chunk[i] = 0x0a
  for (let sent = 0; sent < step.bytes; sent += chunk.length) {
    const piece = chunk.subarray(0, Math.min(chunk.length, step.bytes - sent))
    await new Promise<void>((resolve) => process.stdout.write(piece, () => resolve()))
  }
  await new Promise<void>((resolve) => process.stdout.write('\n', () => resolve()))
}
