import { UNATTENDED } from '../../platform/process/unattended.ts'

/** Variables by which a tool chain finds itself, its caches and the network. Any other may be a secret. */
const ALLOWED =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_[A-Z]+|TZ|TERM|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY|ALL_PROXY|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|GIT_SSL_CAINFO|PIP_[A-Z_]+|UV_[A-Z_]+|npm_config_[a-z_]+|NPM_CONFIG_[A-Z_]+|NVM_[A-Z]+|PYENV_[A-Z]+|VOLTA_HOME|GOPATH|GOROOT|GOPROXY|GOFLAGS|CARGO_[A-Z_]+|RUSTUP_[A-Z_]+|JAVA_HOME|MAVEN_[A-Z_]+|GRADLE_[A-Z_]+|SDKMAN_[A-Z_]+|GEM_HOME|BUNDLE_[A-Z_]+|COMPOSER_[A-Z_]+|DOTNET_[A-Z_]+|XDG_[A-Z_]+)$/
const SECRET = /(TOKEN|SECRET|PASSWORD|PASSWD|_AUTH|CREDENTIAL|API_?KEY)/i

/**
 * The variables of a check. A command that passes only with the user's own variables would fail in a
 * workspace.
 */
export function proofEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  temporary: string,
): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && ALLOWED.test(entry[0]) && !SECRET.test(entry[0]),
  )
  return { ...Object.fromEntries(kept), ...UNATTENDED, TMPDIR: temporary }
}
