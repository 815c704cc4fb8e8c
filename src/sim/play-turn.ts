import type { Span } from './check.ts'
import type { Inbox } from './inbox.ts'
import type { SimOptions } from './options.ts'
import { chooseSteps, countTurns, type LoadedPlaybook, loadPlaybook, type Playbook } from './playbook.ts'
import { createRandom } from './random.ts'
import { lineSignal, type SignalNames } from './signal-text.ts'
import { SimFailure } from './sim-failure.ts'
import type { Situation } from './situation.ts'
import { Interrupted, type Stage, TurnEnd } from './stage.ts'
import type { Step } from './step.ts'
import { playSteps } from './steps/play-steps.ts'
import type { ClaudeStream, Closing } from './stream.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface TurnPlayer {
  playFirst(prompt: string): Promise<Closing>
  /** Answers a message that came after a turn. */
  playReply(message: string): Promise<Closing>
  /** Ends the running turn. */
  interrupt(): void
  /** True once the agent cannot continue: its playbook is broken, or a step failed. */
  readonly isOver: boolean
}

interface Cast {
  readonly options: SimOptions
  readonly environment: Environment
  readonly situation: Omit<Situation, 'prompt'>
  readonly stream: ClaudeStream
  readonly inbox: Inbox
}

export function createTurnPlayer(cast: Cast): TurnPlayer {
  let abort = new AbortController()
  let isOver = false
  let lastWords = ''
  let wasInterrupted = false

  const play = async (
    prompt: string,
    choose: (loaded: LoadedPlaybook, situation: Situation) => readonly Step[],
  ) => {
    const begunMs = Date.now()
    const situation: Situation = { ...cast.situation, prompt }
    const { workspace: cwd } = situation
    abort = new AbortController()
    cast.stream.beginTurn({ cwd, prompt, permissionMode: cast.options.permissionMode })
    let stage: Stage | undefined
    const closing = await closingOf(async () => {
      const loaded = loadPlaybook(cast.options.playbook)
      stage = stageOf(cast, situation, loaded, abort.signal)
      await playSteps(choose(loaded, situation), stage)
      return stage.lastWords
    })
    isOver ||= closing.terminalReason === FAILED
    wasInterrupted = closing.terminalReason.startsWith('aborted')
    lastWords = stage?.lastWords || lastWords
    cast.stream.close(closing, Date.now() - begunMs)
    return closing
  }

  return {
    playFirst: (prompt) =>
      play(prompt, ({ playbook, folder }, situation) =>
        chooseSteps(playbook, situation, () => countTurns(folder, situation)),
      ),
    playReply: (message) =>
      play(message, (_loaded, situation) => replySteps(message, situation, wasInterrupted ? '' : lastWords)),
    interrupt: () => abort.abort(),
    get isOver() {
      return isOver
    },
  }
}

const FAILED = 'sim_failure'

async function closingOf(turn: () => Promise<string>): Promise<Closing> {
  try {
    return { isError: false, subtype: 'success', terminalReason: 'completed', text: await turn() }
  } catch (error) {
    if (error instanceof TurnEnd) return error.closing
    const failed = { isError: true, subtype: 'error_during_execution' } as const
    if (error instanceof Interrupted) return { ...failed, terminalReason: error.during, text: 'interrupted' }
    if (error instanceof SimFailure) return { ...failed, terminalReason: FAILED, text: error.message }
    return { ...failed, terminalReason: FAILED, text: `SIM_STEP_FAILED: ${String(error)}` }
  }
}

/**
 * Steps for a message after the work: a checkpoint is answered, a redirection followed, others acknowledged.
 */
function replySteps(message: string, situation: Situation, lastWords: string): Step[] {
  if (/^\s*CHECKPOINT\b/m.test(message)) {
    const body =
      'Progress: done\nCurrent Activity: waiting\nFiles Modified: 2\nBlockers: NONE\nEstimated Remaining: nothing'
    return [{ do: 'say', text: lineSignal('CHECKPOINT', situation.taskId, body) }]
  }
  const heard: Step = { do: 'say', text: `heard: ${message}` }
  return lastWords === '' ? [heard, { do: 'play' }] : [heard, { do: 'say', text: lastWords }]
}

function stageOf(cast: Cast, situation: Situation, loaded: LoadedPlaybook, abort: AbortSignal): Stage {
  const { playbook, folder } = loaded
  const { role, taskId, taskKey, iteration } = situation
  const seed = cast.options.seed ?? String(playbook.seed ?? 0)
  return {
    situation,
    environment: cast.environment,
    stream: cast.stream,
    inbox: cast.inbox,
    abort,
    playbookFolder: folder,
    names: namesOf(playbook, cast.environment),
    random: createRandom([seed, role, taskKey || taskId, iteration].join('/')),
    paceMs: playbook.paceMs ?? paceOf(cast.environment.AXIOM_SIM_PACE_MS),
    asksPermission: cast.options.asksPermission,
    base: cast.environment.AXIOM_BASE || undefined,
    lastWords: '',
  }
}

function namesOf(playbook: Playbook, environment: Environment): SignalNames {
  const tag = playbook.vocabulary?.tag ?? (environment.AXIOM_SIM_TAG || 'axiom')
  const pairs = (environment.AXIOM_SIM_NAMES ?? '').split(',').map((pair) => pair.split('='))
  const names = Object.fromEntries(pairs.flatMap(([from, to]) => (from && to ? [[from, to]] : [])))
  return { tag, names: playbook.vocabulary?.names ?? names }
}

/** `200` or `200-800`. */
function paceOf(text: string | undefined): Span {
  const [least = 0, most = least] = (text ?? '').split('-').filter(Boolean).map(Number)
  return Number.isInteger(least) && Number.isInteger(most) && least <= most ? [least, most] : 0
}
