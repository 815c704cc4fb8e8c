import { isObject, type JsonObject } from '../../../config/value-path.ts'

/** How agents are called in the recorded project; a replay has simulated ones. */
const CALLING = ['command', 'roles', 'fallback', 'model']

/**
 * Keeps the project's rules and checks but no outside party: no other agents, no hooks, no remote, no review.
 */
export function replayConfig(
  raw: unknown,
  vocabulary: string,
  opened: { readonly readOnly: readonly string[]; readonly readWrite: readonly string[] },
): JsonObject {
  const { hooks: _, ...own } = isObject(raw) ? raw : {}
  const agents = Object.entries(section(own, 'agents')).filter(([key]) => !CALLING.includes(key))
  return {
    ...own,
    vocabulary,
    agents: { ...Object.fromEntries(agents), driver: 'sim' },
    review: { ...section(own, 'review'), defaultMode: 'skip', labels: {} },
    integration: { ...section(own, 'integration'), mode: 'direct' },
    sandbox: { ...section(own, 'sandbox'), ...opened },
  }
}

function section(own: JsonObject, name: string): JsonObject {
  const value = own[name]
  return isObject(value) ? value : {}
}
