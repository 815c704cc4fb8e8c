import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'

/** Where the certificates of this machine lie inside a fresh one. */
export const CERTIFICATES = '/etc/ssl/machine-certificates.pem'

const CERTIFICATE_VARIABLES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE']
const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy']
const NPM_SETTINGS = ['registry', 'proxy', 'https-proxy', 'noproxy', 'strict-ssl', 'cafile']

export interface NetworkSettings {
  /** How packages are reached from here: the registry, a proxy, certificates. Nothing else of this machine. */
  readonly environment: Readonly<Record<string, string>>
  /** A file of this machine that has to lie at `CERTIFICATES`. */
  readonly certificates: string | undefined
}

export function readNetworkSettings(): NetworkSettings {
  const answer = execFileSync('npm', ['config', 'list', '--json'], {
    cwd: tmpdir(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 60_000,
  })
  const npm = JSON.parse(answer) as Record<string, unknown>
  const settings = NPM_SETTINGS.flatMap((name) => {
    const value = npm[name]
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '')
    return text === '' || text === 'null' ? [] : [[name, text] as const]
  })
  const cafile = settings.find(([name]) => name === 'cafile')?.[1]
  const named = CERTIFICATE_VARIABLES.map((name) => process.env[name]).find(Boolean)
  const certificates = named ?? cafile
  return {
    certificates,
    environment: Object.fromEntries([
      ...settings
        .filter(([name]) => name !== 'cafile')
        .map(([name, value]) => [`npm_config_${name.replaceAll('-', '_')}`, value]),
      ...(certificates === undefined
        ? []
        : [...CERTIFICATE_VARIABLES, 'npm_config_cafile'].map((name) => [name, CERTIFICATES])),
      ...PROXY_VARIABLES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
    ]),
  }
}
