import { join } from 'node:path'

/**
 * The environment in which the user's own git writes the user's files: with the user's configuration and its
 * filters. Otherwise AXIOM's git reads no configuration.
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
