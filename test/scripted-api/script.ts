/** What the scripted model says and does in one answer; the tools are named as the asking client names them. */
export interface Turn {
  readonly speech?: string
  /** Speech that answers what the client sent. */
  readonly reply?: (request: ModelRequest) => string
  readonly uses?: readonly ToolUse[]
  /** Stops after the first words and keeps the connection open, so that a client can be interrupted in speech. */
  readonly stalls?: (request: ModelRequest) => boolean
}

export type ToolUse =
  | { readonly tool: 'write'; readonly path: string; readonly content: string }
  | { readonly tool: 'shell'; readonly command: string }
  | { readonly tool: 'named'; readonly name: string; readonly input: Record<string, unknown> }

/** What goes wrong with one request instead of an answer. */
export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterS?: number }
  | { readonly kind: 'reset' }
  | { readonly kind: 'hang' }
  | { readonly kind: 'error-in-stream' }
  | { readonly kind: 'reset-in-stream' }

/** One request of a client, as far as the script needs to know it. */
export interface ModelRequest {
  readonly dialect: string
  /** The order of arrival among the requests that carry tools, from 0; side requests have none. */
  readonly number: number | undefined
  /** How often the model has already spoken in this conversation: the next turn's place in the script. */
  readonly turn: number
  readonly model: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readonly<Record<string, unknown>>
  readonly atMs: number
}

/** Said to requests without tools (titles, summaries) and when the script is at its end. */
export const CLOSING_WORDS = 'There is nothing more in the script.'
