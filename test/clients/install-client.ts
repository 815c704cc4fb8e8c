import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { CLIENT_PACKAGES, type ClientName, type ClientPackage } from './client-packages.ts'

const INSTALL_TIMEOUT_MS = 300_000

export interface InstalledClient {
  readonly name: ClientName
  readonly version: string
  /** The folder that holds everything the program needs. */
  readonly folder: string
  readonly program: string
}

/** Outside the repository, shared by all checkouts, and kept: the programs are large. */
function cacheFolder(): string {
  const own = process.env.AXIOM_CLIENT_CACHE
  if (own) return own
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'axiom', 'clients')
}

/** The program from the cache, fetched from the package registry when it is not there yet. */
export function installClient(name: ClientName): InstalledClient {
  const wanted = packageOf(name)
  const problems: string[] = []
  for (const version of wanted.versions) {
    const found = locate(wanted, name, version)
    if (found) return found
    try {
      fetchPackage(wanted, version)
    } catch (error) {
      problems.push(`${version}: ${error instanceof Error ? error.message : String(error)}`)
    }
    const fetched = locate(wanted, name, version)
    if (fetched) return fetched
  }
  throw new Error(`${wanted.package} could not be installed into ${cacheFolder()}: ${problems.join('; ')}`)
}

/** The program as it was installed before; without network. */
export function findClient(name: ClientName): InstalledClient {
  const wanted = packageOf(name)
  for (const version of wanted.versions) {
    const found = locate(wanted, name, version)
    if (found) return found
  }
  throw new Error(`${wanted.package} is not installed; "npm run test:clients ${name}" installs it`)
}

function packageOf(name: ClientName): ClientPackage {
  const wanted = CLIENT_PACKAGES.find((candidate) => candidate.name === name)
  if (!wanted) throw new Error(`no client is named ${name}`)
  return wanted
}

function locate(wanted: ClientPackage, name: ClientName, version: string): InstalledClient | undefined {
  const folder = join(cacheFolder(), `${wanted.name}-${version}`)
  const program = join(folder, 'node_modules/.bin', wanted.program)
  return existsSync(program) ? { name, version, folder, program } : undefined
}

/** Installs beside the final place and renames, so that a broken installation is never taken for a whole one. */
function fetchPackage(wanted: ClientPackage, version: string): void {
  mkdirSync(cacheFolder(), { recursive: true })
  const draft = mkdtempSync(join(cacheFolder(), '.installing-'))
  try {
    writeFileSync(join(draft, 'package.json'), '{"private":true}')
    const flags = ['--no-audit', '--no-fund', '--loglevel=error', '--save-exact']
    const args = ['install', '--prefix', draft, ...flags, `${wanted.package}@${version}`]
    // Programs that an installation starts leave folders of their own in the temporary folder.
    const temporary = join(draft, 'tmp')
    mkdirSync(temporary)
    execFileSync('npm', args, {
      cwd: draft,
      env: { ...process.env, TMPDIR: temporary },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: INSTALL_TIMEOUT_MS,
    })
    rmSync(temporary, { recursive: true })
    renameSync(draft, join(cacheFolder(), `${wanted.name}-${version}`))
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
