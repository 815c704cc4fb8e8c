/** The form of the agent's signals: the tag, and the names that differ from the `axiom` vocabulary. */
export interface SignalNames {
  readonly tag: string
  readonly names: Readonly<Record<string, string>>
}

export function tagSignal(names: SignalNames, type: string, payload?: string): string {
  const word = names.names[type] ?? type
  return `<${names.tag}>${payload === undefined ? word : `${word}:${payload}`}</${names.tag}>`
}

/** Signals that stand alone on their line; the others carry an id after a colon. */
const BARE = new Set([
  'REMEDIATION_COMPLETE',
  'HEALTH_AUDIT: HEALTHY',
  'HEALTH_AUDIT: UNHEALTHY',
  'SEEKING_DIVINE_CLARIFICATION',
  'EXPERT_REQUEST',
])

export function lineSignal(type: string, task: string, body?: string): string {
  const head = BARE.has(type) ? type : `${type}: ${task}`
  return body === undefined || body === '' ? head : `${head}\n\n${body}`
}
