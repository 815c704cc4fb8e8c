import { join } from 'node:path'

/**
 * What the user's own git has when it writes his files: his configuration with its filters. AXIOM's git is otherwise
 * told to read none.
 */
export function userGitEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const { HOME, XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL, GIT_CONFIG_NOSYSTEM } = environment
  if (HOME === undefined) return {}
  return {
    HOME,
    ...(XDG_CONFIG_HOME === undefined ? {} : { XDG_CONFIG_HOME }),
    GIT_CONFIG_GLOBAL: GIT_CONFIG_GLOBAL ?? join(HOME, '.gitconfig'),
    GIT_CONFIG_NOSYSTEM: GIT_CONFIG_NOSYSTEM ?? '0',
  }
}
