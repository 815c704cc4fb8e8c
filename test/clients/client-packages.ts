/** The agent programs that the drivers are proven against: exact versions, because each changes its dialect. */
export interface ClientPackage {
  readonly name: string
  readonly package: string
  /** The first that can be had is taken. */
  readonly versions: readonly [string, ...string[]]
  readonly program: string
}

export const CLIENT_PACKAGES = [
  // The newest asks for Node 22, though its program is native; a registry may hold it back on Node 20.
  {
    name: 'claude',
    package: '@anthropic-ai/claude-code',
    versions: ['2.1.325', '2.1.197'],
    program: 'claude',
  },
  { name: 'codex', package: '@openai/codex', versions: ['0.166.0'], program: 'codex' },
  { name: 'gemini', package: '@google/gemini-cli', versions: ['0.61.0'], program: 'gemini' },
  { name: 'opencode', package: 'opencode-ai', versions: ['1.18.33'], program: 'opencode' },
] as const satisfies readonly ClientPackage[]

export type ClientName = (typeof CLIENT_PACKAGES)[number]['name']
