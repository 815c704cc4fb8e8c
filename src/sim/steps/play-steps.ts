import { playAttack } from '../faults/attack.ts'
import { playCrash, playExit, playHang, playIgnoreSigterm } from '../faults/die.ts'
import { playDoubleFork } from '../faults/double-fork.ts'
import { playFlood } from '../faults/flood.ts'
import { playOverload, playRateLimit } from '../faults/service.ts'
import { playLie, playSpoof } from '../faults/spoof.ts'
import { playWrongFormat } from '../faults/wrong-format.ts'
import { chooseWeighted } from '../random.ts'
import { stepsOfRole } from '../roles/role-table.ts'
import { lengthOf, type Stage, say, sleep } from '../stage.ts'
import type { Step, StepOf } from '../step.ts'
import { playEdit } from './edit.ts'
import { playCheckout, playCommit, playPatch } from './git.ts'
import { playRun } from './run.ts'
import { playSettle } from './settle.ts'
import { playAsk, playSignal, playThink } from './speak.ts'
import { playBarrier, playListen, playWait } from './wait.ts'

type Player<K extends Step['do']> = (step: StepOf<K>, stage: Stage) => Promise<void> | void

const PLAYERS: { readonly [K in Step['do']]: Player<K> } = {
  say: (step, stage) => say(stage, step.text),
  edit: playEdit,
  patch: playPatch,
  checkout: playCheckout,
  run: playRun,
  settle: playSettle,
  commit: playCommit,
  signal: playSignal,
  wait: playWait,
  barrier: playBarrier,
  ask: playAsk,
  think: playThink,
  listen: playListen,
  play: (step, stage) => playSteps(stepsOfRole(stage, step), stage),
  choose: playChoose,
  repeat: playRepeat,
  crash: playCrash,
  exit: playExit,
  hang: playHang,
  'ignore-sigterm': playIgnoreSigterm,
  'double-fork': playDoubleFork,
  flood: playFlood,
  lie: playLie,
  spoof: playSpoof,
  'rate-limit': playRateLimit,
  overload: playOverload,
  'wrong-format': playWrongFormat,
  attack: playAttack,
}

export async function playSteps(steps: readonly Step[], stage: Stage): Promise<void> {
  for (const step of steps) {
    await sleep(lengthOf(stage.paceMs, stage.random), stage)
    await playStep(step, stage)
  }
}

async function playStep<K extends Step['do']>(step: StepOf<K>, stage: Stage): Promise<void> {
  const play: Player<K> = PLAYERS[step.do as K]
  await play(step, stage)
}

async function playChoose(step: StepOf<'choose'>, stage: Stage): Promise<void> {
  const place = chooseWeighted(
    stage.random,
    step.between.map(({ weight }) => weight),
  )
  await playSteps(step.between[place]?.steps ?? [], stage)
}

async function playRepeat(step: StepOf<'repeat'>, stage: Stage): Promise<void> {
  for (let i = 0; i < step.times; i++) {
    await playSteps(step.steps, stage)
    await sleep(step.everyMs ?? 0, stage)
  }
}
