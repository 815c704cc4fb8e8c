import type { TreeRecord } from '../platform/process/sweep-tree.ts'
import type { AgentError } from './agent-error.ts'

/** What the orchestrator can do with agents of one driver while they run. */
export interface Abilities {
  /** A message can be sent to a running agent. */
  readonly send: boolean
  /** The running turn can be ended and the same process continue with another message. */
  readonly redirect: boolean
  /** A later process can continue the session of an earlier one. */
  readonly resume: boolean
  /** The agent asks before it uses a tool. */
  readonly permissions: boolean
}

/** What the agent works on; `command` agents get it as `AXIOM_*` variables. */
export interface Assignment {
  readonly role: string
  readonly agent: string
  readonly taskId: string
  readonly taskKey: string
  readonly iteration: number
}

/** An MCP server that the agent may call; `command` is started by the agent, inside its own sandbox. */
export interface ToolServer {
  readonly name: string
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

export interface PermissionAsk {
  readonly tool: string
  readonly input: unknown
}

export type PermissionAnswer =
  | { readonly kind: 'allow' }
  /** The reason is sent to the agent, which continues without the tool. */
  | { readonly kind: 'deny'; readonly reason: string }

export interface AgentRequest {
  readonly assignment: Assignment
  readonly prompt: string
  readonly systemPrompt: string
  /** The agent's own name for a model; the driver's default when absent. */
  readonly model?: string
  /** The checkout the agent works in: its working directory, and writable. */
  readonly workspace: string
  /** A private folder kept between the runs of one agent: it contains HOME, TMPDIR and the sessions. */
  readonly folder: string
  /** Everything the process prints, redacted, rotated and capped. */
  readonly logFile: string
  /** Everything is allowed when absent: the sandbox confines the agent. */
  readonly permit?: (ask: PermissionAsk) => Promise<PermissionAnswer>
  readonly toolServers?: readonly ToolServer[]
  /** Added to the allow-listed environment; for example the playbook of a simulated agent. */
  readonly environment?: Readonly<Record<string, string>>
  /** Paths outside the workspace that this agent may read, such as the objects its clone borrows. */
  readonly readOnly?: readonly string[]
  readonly readWrite?: readonly string[]
}

/** What is needed to continue a conversation: store it with the run and pass it to `resume`. */
export interface Session {
  readonly id: string
  /** Totals that the program reports for the whole session; they are subtracted from later totals. */
  readonly costUsd: number
  readonly usage: Usage
}

export interface Usage {
  readonly inputTokens: number
  readonly cachedInputTokens: number
  readonly outputTokens: number
}

/**
 * One thing that happened in an agent. `usage` and `cost` are increments to be added up, even where the
 * program reports totals. Text is redacted already.
 */
export type AgentEvent =
  | { readonly type: 'started'; readonly session: string; readonly model: string }
  /**
   * A piece of what the agent itself says. Pieces of one message share `message`; exactly one has `ends`, perhaps
   * with empty text. Output of subagents, tools, files and thinking is never speech.
   */
  | { readonly type: 'speech'; readonly message: string; readonly text: string; readonly ends: boolean }
  | { readonly type: 'tool-call'; readonly call: string; readonly tool: string; readonly input: unknown }
  | { readonly type: 'tool-result'; readonly call: string; readonly text: string; readonly failed: boolean }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'cost'; readonly usd: number }
  /** The program retries by itself: show it as waiting. */
  | {
      readonly type: 'retry'
      readonly attempt: number
      readonly attemptsMax: number
      readonly delayMs: number
      readonly reason: string
    }
  /** The quota is gone; `resetAtMs` is when the provider says it returns (epoch milliseconds), if it does. */
  | { readonly type: 'rate-limit'; readonly resetAtMs: number | undefined; readonly reason: string }
  | { readonly type: 'permission-denied'; readonly tool: string; readonly reason: string }
  /** A sign of life with nothing to act on: thinking, a subagent, a status line. */
  | { readonly type: 'activity'; readonly what: string }
  /** Output that could not be used: an oversize line, broken JSON. The agent goes on. */
  | { readonly type: 'problem'; readonly code: ProblemCode; readonly detail: string }
  /** An event of a newer version of the program, kept for the log. */
  | { readonly type: 'unknown'; readonly raw: string }
  | AgentEnd

export type ProblemCode = 'AGENT_LINE_TOO_LONG' | 'AGENT_LINE_NOT_JSON'

export type EndReason =
  /** The program reports success and nothing contradicts it. Only a claim: the work is verified elsewhere. */
  | 'completed'
  /** It ended by itself with an error. */
  | 'failed'
  /** The quota is gone or the service overloaded: wait, and do not count the attempt. */
  | 'rate-limited'
  /** `interrupt` ended it. */
  | 'interrupted'
  /** `stop` ended it. */
  | 'stopped'
  /** It ended by a signal, or exited without the closing event of its protocol. */
  | 'crashed'

export interface AgentEnd {
  readonly type: 'end'
  readonly reason: EndReason
  readonly exitCode: number | undefined
  readonly signal: string | undefined
  /** Present unless the reason is completed, interrupted or stopped. */
  readonly error?: AgentError
  /** Absent when the driver cannot resume or no session began. */
  readonly session?: Session
}

/** One running agent. Disposing stops it. */
export interface AgentProcess extends AsyncDisposable {
  /** For one reader. The last event is the only `end`. Reading slowly slows the agent, never the orchestrator. */
  readonly events: AsyncIterable<AgentEvent>
  /** The same value as the last event; settles whether or not the events are read. */
  readonly ended: Promise<AgentEnd>
  /**
   * When it last printed anything, by the host's clock. The caller, which knows the limits, judges silence.
   */
  readonly lastSignMs: number
  /**
   * Once recorded, it lets a later orchestrator end the processes that this one left behind (`sweepTree`).
   */
  readonly tree: TreeRecord
  /** Sends a message to the running agent. False: the driver cannot, or the agent is ending. */
  send(text: string): Promise<boolean>
  /**
   * Ends the running turn. With a text, the same process continues with it (needs `redirect`); without, the
   * run ends as `interrupted`. False: nothing was done.
   */
  interrupt(text?: string): Promise<boolean>
  /** Resolves when every process of the agent is gone, at the latest after the grace and two seconds. */
  stop(): Promise<void>
}

export interface Driver {
  readonly name: string
  readonly abilities: Abilities
  /** Throws `Failure` when nothing could be started: `PREREQ_NO_AGENT`, `SANDBOX_…`, `AGENT_REQUEST_INVALID`. */
  start(request: AgentRequest): Promise<AgentProcess>
  /** As `start`, but continues a session of the same agent folder and workspace path. */
  resume(session: Session, request: AgentRequest): Promise<AgentProcess>
}

export const NO_USAGE: Usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }

/** Where every conversation begins. */
export const NEW_SESSION: Session = { id: '', costUsd: 0, usage: NO_USAGE }
