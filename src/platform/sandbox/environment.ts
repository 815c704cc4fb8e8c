/**
 * Variables that a confined program inherits. Everything else is withheld: a deny list would always miss some
 * secret.
 */
const INHERITED = new Set([
  'PATH',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TERM',
  'USER',
  'LOGNAME',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'NVM_DIR',
  'PYENV_ROOT',
  'RUSTUP_HOME',
  'GOROOT',
  'JAVA_HOME',
  'SDKMAN_DIR',
  'BUN_INSTALL',
  'VOLTA_HOME',
])

/** The folders of the system's own tools; the search path of a user may contain none of them. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** The allow-listed part of an environment, with the private HOME and TMPDIR. */
export function allowEnvironment(
  host: Readonly<Record<string, string | undefined>>,
  paths: { readonly home: string; readonly temporary: string },
): Record<string, string> {
  const allowed: Record<string, string> = {}
  for (const [name, value] of Object.entries(host)) {
    if (value === undefined) continue
    if (INHERITED.has(name.toUpperCase()) || name.startsWith('LC_')) allowed[name] = value
  }
  allowed.PATH ??= SYSTEM_PATH
  return { ...allowed, HOME: paths.home, TMPDIR: paths.temporary }
}
