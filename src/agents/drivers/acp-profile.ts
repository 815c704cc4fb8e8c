/** How agents behind the Agent Client Protocol differ. */
export interface AcpProfile {
  readonly name: string
  readonly program: string
  readonly args: readonly string[]
  /**
   * The mode in which the agent asks only questions that `permit` can answer; its default mode when absent.
   */
  readonly mode?: string
  /** How a model is chosen. */
  readonly model: 'set-model' | 'config-option' | 'none'
  /** Whether `session/load` in a new process finds the session again. */
  readonly resume: boolean
  /**
   * Whether `_meta.systemPrompt.append` is supported; otherwise the system prompt precedes the first prompt.
   */
  readonly systemPromptInMeta: boolean
}

export const GEMINI: AcpProfile = {
  name: 'gemini',
  program: 'gemini',
  args: ['--acp'],
  model: 'set-model',
  // Every attempt fails with "No previous sessions found".
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

/** Any other program that implements the protocol, without assumptions about optional features. */
export function acpProfile(name: string, [program = '', ...args]: readonly string[]): AcpProfile {
  return { name, program, args, model: 'none', resume: false, systemPromptInMeta: false }
}
