import { tmpdir } from 'node:os'
import type { Readable } from 'node:stream'
import { Inbox } from './inbox.ts'
import { readAll, readLines } from './input.ts'
import { NOTHING } from './ledger.ts'
import { readOptions, type SimOptions } from './options.ts'
import { createTurnPlayer, type TurnPlayer } from './play-turn.ts'
import { createRandom, seededUuid } from './random.ts'
import { findSession, keepSession, type Session } from './session.ts'
import { readSituation } from './situation.ts'
import { ClaudeStream } from './stream.ts'

/** The process as an argument, so that only the entry point accesses the real one. */
export interface AgentWorld {
  readonly argv: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workspace: string
  readonly input: Readable
  readonly write: (text: string) => void
  readonly flush: () => Promise<void>
  readonly complain: (text: string) => void
  /** Registers the handler of an interruption from outside. */
  readonly onInterrupt: (interrupt: () => void) => void
}

/** Plays one agent from its first message to its last; returns the exit code. */
export async function runAgent(world: AgentWorld): Promise<number> {
  const options = readOptions(world.argv, world.environment)
  if (options.version) {
    world.write('axiom-sim\n')
    return 0
  }
  const home = world.environment.HOME ?? tmpdir()
  const earlier = options.resume === undefined ? undefined : findSession(home, options.resume)
  const stream = openStream(world, options, earlier)
  if (options.resume !== undefined && earlier === undefined) {
    const text = `No conversation found with session ID: ${options.resume}`
    stream.close({ isError: true, subtype: 'error_during_execution', terminalReason: 'no_session', text }, 0)
    return 1
  }
  const inbox = new Inbox()
  const situation = { ...readSituation(world.environment, world.workspace), resumed: earlier !== undefined }
  const player = createTurnPlayer({ options, environment: world.environment, situation, stream, inbox })
  let leaving = false
  world.onInterrupt(() => {
    leaving = true
    player.interrupt()
  })
  const keep = (): void => keepSession(home, { id: stream.session, totals: stream.totals })
  const first = await firstPrompt(world, options, inbox, player, stream)
  if (first === undefined) return noPrompt(world, options)
  let closing = await player.playFirst(first)
  keep()
  while (options.streamsInput && !leaving && !player.isOver) {
    const message = await inbox.next(NEVER)
    if (message === undefined) break
    closing = await player.playReply(message)
    keep()
  }
  // An interruption is an error of the turn, yet the program exits normally, as claude does.
  return closing.isError && closing.subtype === 'success' ? 1 : player.isOver ? 1 : 0
}

const NEVER = new AbortController().signal

function openStream(world: AgentWorld, options: SimOptions, earlier: Session | undefined): ClaudeStream {
  const { AXIOM_ROLE, AXIOM_TASK_ID, AXIOM_AGENT, AXIOM_ITERATION } = world.environment
  const place = [options.seed, 'ids', AXIOM_ROLE, AXIOM_TASK_ID, AXIOM_AGENT, AXIOM_ITERATION, options.resume]
  const random = createRandom(place.join('/'))
  const session = options.sessionId ?? earlier?.id ?? seededUuid(random)
  return new ClaudeStream({
    session,
    random,
    earlier: earlier?.totals ?? NOTHING,
    write: world.write,
    flush: world.flush,
  })
}

async function firstPrompt(
  world: AgentWorld,
  options: SimOptions,
  inbox: Inbox,
  player: TurnPlayer,
  stream: ClaudeStream,
): Promise<string | undefined> {
  if (!options.streamsInput) {
    inbox.end()
    const prompt = await readAll(world.input)
    return prompt.trim() === '' ? undefined : prompt
  }
  const control = (request: Record<string, unknown>, id: string): void => {
    const response = { subtype: 'success', request_id: id, response: {} }
    stream.event({ type: 'control_response', response })
    if (request.subtype === 'interrupt') player.interrupt()
  }
  void readLines(world.input, (line) => inbox.take(line, control)).finally(() => inbox.end())
  return inbox.next(NEVER)
}

function noPrompt(world: AgentWorld, options: SimOptions): number {
  if (options.streamsInput) return 0
  world.complain('Error: Input must be provided on standard input\n')
  return 1
}
