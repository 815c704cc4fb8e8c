import type { Agent } from './roles.ts'
import { writeApiIntegration } from './texts/api-integration.ts'
import { writeConflictResolution } from './texts/conflict-resolution.ts'
import { writeTdd } from './texts/tdd.ts'
import type { Words } from './words.ts'

interface DefaultSkill {
  readonly agent: Agent
  readonly file: string
  write(words: Words): string
}

export const DEFAULT_SKILLS: readonly DefaultSkill[] = [
  { agent: 'echo', file: 'api-integration.md', write: writeApiIntegration },
  { agent: 'echo', file: 'tdd.md', write: writeTdd },
  { agent: 'rex', file: 'conflict-resolution.md', write: writeConflictResolution },
]
