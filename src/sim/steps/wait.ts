import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SimFailure } from '../sim-failure.ts'
import { lengthOf, type Stage, say, sleep } from '../stage.ts'
import type { StepOf } from '../step.ts'

const WAIT_MS_MAX = 60_000
const LOOK_EVERY_MS = 20

export async function playWait(step: StepOf<'wait'>, stage: Stage): Promise<void> {
  await sleep(lengthOf(step.ms, stage.random), stage)
}

/**
 * Waits until a file exists; with `arrivals` the path is a folder in which each agent creates a file, and the
 * wait ends when it has that many.
 */
export async function playBarrier(step: StepOf<'barrier'>, stage: Stage): Promise<void> {
  const path = resolve(stage.playbookFolder, step.path)
  const { arrivals } = step
  if (arrivals !== undefined) {
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, `${stage.situation.agent}-${stage.situation.taskId}`), '')
  }
  const isOpen = (): boolean =>
    arrivals === undefined ? existsSync(path) : readdirSync(path).length >= arrivals
  const limitMs = step.atMostMs ?? WAIT_MS_MAX
  for (let waitedMs = 0; !isOpen(); waitedMs += LOOK_EVERY_MS) {
    if (waitedMs >= limitMs)
      throw new SimFailure('SIM_STEP_FAILED', `the barrier ${path} did not open in ${limitMs} ms`)
    await sleep(LOOK_EVERY_MS, stage)
  }
}

/** Waits for the next message and answers it; `{message}` in the answer is replaced with it. */
export async function playListen(step: StepOf<'listen'>, stage: Stage): Promise<void> {
  const limitMs = step.atMostMs ?? WAIT_MS_MAX
  const timeout = AbortSignal.timeout(limitMs)
  const message = await stage.inbox.next(AbortSignal.any([stage.abort, timeout]))
  await sleep(0, stage)
  if (message === undefined) throw new SimFailure('SIM_STEP_FAILED', `no message came within ${limitMs} ms`)
  say(stage, step.answer.replaceAll('{message}', message))
}
