/** In what one agent differs from another behind the Agent Client Protocol. */
export interface AcpProfile {
  readonly name: string
  readonly program: string
  readonly args: readonly string[]
  /** The mode in which it edits and runs without asking more than `permit` can answer; its default when absent. */
  readonly mode?: string
  /** How a model is chosen. */
  readonly model: 'set-model' | 'config-option' | 'none'
  /** Whether `session/load` in a new process finds the session again. */
  readonly resume: boolean
  /** Whether `_meta.systemPrompt.append` is heard; otherwise the system prompt stands before the first prompt. */
  readonly systemPromptInMeta: boolean
}

export const GEMINI: AcpProfile = {
  name: 'gemini',
  program: 'gemini',
  args: ['--acp'],
  model: 'set-model',
  // It says "No previous sessions found" to every attempt.
  resume: false,
  systemPromptInMeta: false,
}

export const OPENCODE: AcpProfile = {
  name: 'opencode',
  program: 'opencode',
  args: ['acp'],
  model: 'config-option',
  resume: true,
  systemPromptInMeta: false,
}

/** Any other program that speaks the protocol, with nothing taken for granted. */
export function acpProfile(name: string, [program = '', ...args]: readonly string[]): AcpProfile {
  return { name, program, args, model: 'none', resume: false, systemPromptInMeta: false }
}
