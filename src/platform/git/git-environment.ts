/**
 * The whole environment of every git process: no configuration but the repository's own, no prompt, no pager,
 * no replaced objects, no network protocol.
 */
export function gitEnvironment(searchPath: string): Record<string, string> {
  return {
    PATH: searchPath,
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'file',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'false',
    SSH_ASKPASS: 'false',
    GIT_EDITOR: ':',
    GIT_PAGER: 'cat',
    GIT_ADVICE: '0',
  }
}

/** Settings on the command line override the configuration of the repository. */
export const GIT_SETTINGS: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.autocrlf=false',
  'core.safecrlf=false',
  'core.symlinks=true',
  'core.quotePath=false',
  'core.packedRefsTimeout=10000',
  'core.filesRefLockTimeout=10000',
  'commit.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'advice.addEmbeddedRepo=false',
].flatMap((setting) => ['-c', setting])
