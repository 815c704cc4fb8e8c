import { Failure } from '../failure.ts'

/** Names of agents, tasks and workspaces as AXIOM makes them. Git's own check lets `@{-1}` and `a;b` pass. */
const SAFE_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/
const BRANCH_LENGTH_MAX = 200
const BRANCH_PART = /^[A-Za-z0-9_][A-Za-z0-9._+-]*$/
const OBJECT_NAME = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

export function safeName(name: string): string {
  if (SAFE_NAME.test(name)) return name
  throw new Failure(
    'GIT_UNSAFE_NAME',
    `${JSON.stringify(name)} is no name for an agent, a task or a workspace`,
    {
      hint: 'Allowed are 1 to 64 lower-case letters, digits and hyphens, not starting with a hyphen.',
    },
  )
}

/** A branch name from the configuration: wider than AXIOM's own names, narrower than git's rules. */
export function safeBranch(name: string): string {
  const sound =
    name.length <= BRANCH_LENGTH_MAX &&
    name
      .split('/')
      .every((part) => BRANCH_PART.test(part) && !part.includes('..') && !/\.lock$|\.$/.test(part))
  if (sound && name !== 'HEAD' && !OBJECT_NAME.test(name)) return name
  throw new Failure('GIT_UNSAFE_NAME', `${JSON.stringify(name)} is no branch that AXIOM will work on`, {
    hint: 'Allowed are letters, digits and . _ + - in parts divided by slashes. Rename it (git branch --move NAME), or land on another branch: axiom init --target main, later axiom config set integration.target main',
  })
}

export function isObjectName(text: string): boolean {
  return OBJECT_NAME.test(text)
}
