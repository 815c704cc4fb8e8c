import { fetchHeads, findRemote, listHeads, type Remote } from '../../../integration/remote/remote.ts'
import { Failure } from '../../../platform/failure.ts'
import type { Git } from '../../../platform/git/git.ts'
import { moveRefs, resolveCommit } from '../../../platform/git/repository-operations.ts'
import type { IntegrationRepository } from '../../../workspaces/integration-repository.ts'
import { userGitEnvironment } from './user-git-environment.ts'

/** Variables through which git finds a key agent, a proxy and a credential helper. */
const PASSED = [
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'GIT_SSH',
  'GIT_SSH_COMMAND',
  'GIT_SSL_CAINFO',
  'SSL_CERT_FILE',
  'HTTPS_PROXY',
  'https_proxy',
  'NO_PROXY',
  'no_proxy',
] as const

export interface RemoteOptions {
  readonly root: string
  readonly userGitDir: string
  readonly name: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** The configured remote, reached as the user's own git reaches it, but never with a prompt. */
export function openRemote(git: Git, options: RemoteOptions): Promise<Remote> {
  const { root, userGitDir, name, environment } = options
  const passed = PASSED.flatMap((key) => (environment[key] === undefined ? [] : [[key, environment[key]]]))
  return findRemote(git, { gitDir: userGitDir }, root, name, {
    ...userGitEnvironment(environment),
    GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
    ...(Object.fromEntries(passed) as Record<string, string>),
    GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
  })
}

/** In remote mode work starts from the remote's target, not from what the user has not pushed yet. */
export async function startFromRemote(
  git: Git,
  integration: IntegrationRepository,
  remote: Remote,
): Promise<void> {
  const { target } = integration
  const ref = `refs/heads/${target}`
  if ((await resolveCommit(git, integration, ref)) !== undefined) return
  const listed = await listHeads(git, integration, remote, [target])
  const fetched = listed.kind === 'listed' ? await fetchHeads(git, integration, remote, listed.heads) : listed
  if (fetched.kind === 'unreachable') {
    throw new Failure('REMOTE_FETCH_FAILED', `${remote.name} cannot be read: ${fetched.said}`, {
      hint: `git fetch ${remote.name} ${target}`,
      retryable: true,
    })
  }
  const commit = listed.kind === 'listed' ? listed.heads.get(target) : undefined
  if (commit === undefined) {
    throw new Failure('REMOTE_FETCH_FAILED', `${remote.name} has no branch ${target}`, {
      hint: `git push ${remote.name} ${target}`,
    })
  }
  await moveRefs(git, integration, [{ ref, to: commit, from: undefined }])
}
