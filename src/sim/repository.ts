import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024
const GIT_TIMEOUT_MS = 60_000

/** Runs git in the workspace; undefined when it fails. */
export function tryGit(
  workspace: string,
  args: readonly string[],
  environment?: Environment,
): string | undefined {
  try {
    return execFileSync('git', args, {
      cwd: workspace,
      ...(environment === undefined ? {} : { env: environment }),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: OUTPUT_BYTES_MAX,
      timeout: GIT_TIMEOUT_MS,
    })
  } catch {
    return undefined
  }
}

/** The files for a reviewer: those that the work changed, or those of the last commit if no base is known. */
export function changedFiles(workspace: string, base: string | undefined): string[] {
  const from =
    base ??
    tryGit(workspace, ['merge-base', 'HEAD', 'origin/HEAD'])?.trim() ??
    tryGit(workspace, ['rev-parse', 'HEAD~1'])?.trim()
  const own = from === undefined || from === tryGit(workspace, ['rev-parse', 'HEAD'])?.trim()
  const listed = own
    ? tryGit(workspace, ['show', '--name-only', '-z', '--format=', 'HEAD'])
    : tryGit(workspace, ['diff', '--name-only', '-z', from, 'HEAD'])
  return (listed ?? '').split('\0').filter((file) => file !== '')
}

export interface Conflict {
  readonly file: string
  /** Undefined when one side deleted the file, or when it is binary. */
  readonly text: string | undefined
}

export function conflicts(workspace: string): Conflict[] {
  const listed = tryGit(workspace, ['diff', '--name-only', '-z', '--diff-filter=U']) ?? ''
  return [...new Set(listed.split('\0'))]
    .filter((file) => file !== '')
    .map((file) => ({ file, text: readText(join(workspace, file)) }))
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Git refuses to commit without an identity; an agent without one uses its own id. */
export function identityEnvironment(
  workspace: string,
  agent: string,
  environment: Environment,
): Record<string, string> {
  const known = ['-c', 'user.useConfigOnly=true', 'var', 'GIT_COMMITTER_IDENT']
  if (tryGit(workspace, known, environment) !== undefined) return {}
  const email = `${agent}@sim.invalid`
  return {
    GIT_AUTHOR_NAME: agent,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: agent,
    GIT_COMMITTER_EMAIL: email,
  }
}
