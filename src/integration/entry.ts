import { Failure } from '../platform/failure.ts'
import type { Git, Repository } from '../platform/git/git.ts'
import { isObjectName, safeName } from '../platform/git/names.ts'

/** One task's work, waiting to land. */
export interface Entry {
  readonly task: string
  readonly agent: string
  readonly fence: number
  /** The commit that the agent ended with; everything up to it lands as one commit. */
  readonly source: string
  readonly type: string
  readonly description: string
  /** Tasks that must be on the target before this one. */
  readonly dependsOn: readonly string[]
  /** The branch of the remote on which this or an earlier version was offered. */
  readonly pushed?: { readonly branch: string; readonly commit: string }
}

/** What candidates are built with: the bare integration repository and the project's rules for commits. */
export interface CandidateGround {
  readonly git: Git
  readonly repository: Repository
  /** For files that git needs only while it merges. */
  readonly scratchDir: string
  readonly now: () => number
  readonly commitTypes: readonly string[]
  /** Folders that belong to the user's side: no candidate may touch them. */
  readonly protectedFolders: readonly string[]
}

const SUBJECT_DESCRIPTION_LENGTH_MAX = 200
const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu

/** One line of subject and the trailers by which a landed task is found again. */
export function candidateMessage(entry: Entry): string {
  const { task, agent, fence, source, type } = entry
  return [
    `${type}: ${describe(entry.description)} #${safeName(task)} @${safeName(agent)}`,
    '',
    `Task: ${task}`,
    `Agent: ${agent}`,
    `Fence: ${fence}`,
    `Source: ${soundSource(source)}`,
    '',
  ].join('\n')
}

/** A description comes from an agent: reduced to one line, it cannot forge a trailer. */
function describe(text: string): string {
  const line = text.replace(CONTROL, ' ').replace(/\s+/g, ' ').trim()
  return [...line].slice(0, SUBJECT_DESCRIPTION_LENGTH_MAX).join('') || 'no description'
}

function soundSource(source: string): string {
  if (isObjectName(source)) return source
  throw new Failure('GIT_UNSAFE_NAME', `${JSON.stringify(source)} names no commit`)
}
