/** The flags of `axiom init`: one for each question that it may ask. */
export interface InitOptions {
  readonly yes?: boolean
  readonly vocabulary?: string
  readonly target?: string
  readonly driver?: string
  readonly red?: 'keep' | 'optional' | 'drop'
  readonly keepUnproven?: boolean
  readonly hooksAsChecks?: boolean
  readonly copy?: readonly string[]
  readonly slotPorts?: boolean
  readonly firstCommit?: boolean
  readonly gitInit?: boolean
  readonly prove: boolean
  readonly proveTimeout?: string
  readonly detect?: boolean
  readonly agent?: string
  readonly agentTimeout?: string
  readonly allowUnsandboxed?: boolean
}
