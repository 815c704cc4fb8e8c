import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { basename, join } from 'node:path'

/** What a newcomer is told to have, besides Node; the rest of a fresh Debian comes by its priority. */
const ASKED_FOR = ['git', 'ca-certificates']
const PRIORITIES = new Set(['required', 'important'])
const PROGRAM_FOLDERS = ['/usr/bin', '/usr/sbin']
/** Programs that are started through a link elsewhere, so that hiding the link would not hide them. */
const ELSEWHERE = ['/usr/games', '/usr/lib/chromium', '/usr/lib/postgresql', '/usr/lib/node_modules']

export interface BaseSystem {
  /** Paths of this machine that a fresh one does not have. */
  readonly absent: readonly string[]
  /** The package database of the fresh machine, so that what is missing there can be installed. */
  readonly packageStatus: string
}

interface Package {
  readonly name: string
  readonly needs: readonly (readonly string[])[]
  readonly priority: string
  readonly provides: readonly string[]
  readonly paragraph: string
}

/** What this machine would be if only the base system of Debian, git and the named packages were installed. */
export function readBaseSystem(extra: readonly string[]): BaseSystem {
  const packages = parsePackages(readFileSync('/var/lib/dpkg/status', 'utf8'))
  const kept = closure(packages, [...ASKED_FOR, ...extra])
  const files = execFileSync('dpkg-query', ['--listfiles', ...kept.map(({ name }) => name)], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  }).split('\n')
  // Packages still say /bin/x for what lies at /usr/bin/x.
  const owned = new Set(files.map((path) => (path.startsWith('/usr/') ? path : `/usr${path}`)))
  const absent = PROGRAM_FOLDERS.flatMap((folder) =>
    readdirSync(folder)
      .map((name) => join(folder, name))
      .filter((path) => !owned.has(path) && !owned.has(target(path))),
  )
  return {
    absent: [...absent, ...ELSEWHERE],
    packageStatus: kept.map(({ paragraph }) => `${paragraph}\n\n`).join(''),
  }
}

/** An alternative such as `awk` belongs to no package, but what it leads to does. */
function target(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function parsePackages(status: string): Package[] {
  return status
    .split('\n\n')
    .filter((paragraph) => /^Status: install ok installed$/m.test(paragraph))
    .map((paragraph) => ({
      name: field(paragraph, 'Package'),
      priority: field(paragraph, 'Priority'),
      provides: alternatives(field(paragraph, 'Provides')).flat(),
      needs: ['Pre-Depends', 'Depends'].flatMap((name) => alternatives(field(paragraph, name))),
      paragraph,
    }))
}

function field(paragraph: string, name: string): string {
  return new RegExp(`^${name}: (.*)$`, 'm').exec(paragraph)?.[1] ?? ''
}

/** `a (>= 1) | b, c:any` → [[a, b], [c]] */
function alternatives(text: string): string[][] {
  return text
    .split(',')
    .map((part) => part.split('|').map((word) => basename(word.trim().replace(/[ (:].*$/, ''))))
    .filter(([first]) => first !== '')
}

function closure(packages: readonly Package[], asked: readonly string[]): Package[] {
  const byName = new Map<string, Package>()
  for (const one of packages) for (const name of one.provides) byName.set(name, one)
  for (const one of packages) byName.set(one.name, one)
  const kept = new Set<Package>()
  const waiting = packages.filter(({ priority }) => PRIORITIES.has(priority))
  for (const name of asked) {
    const found = byName.get(name)
    if (found === undefined) throw new Error(`${name} is not installed here, so no machine can have it`)
    waiting.push(found)
  }
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (kept.has(next)) continue
    kept.add(next)
    for (const choices of next.needs) {
      const found = choices.map((name) => byName.get(name)).find((one) => one !== undefined)
      if (found) waiting.push(found)
    }
  }
  return [...kept]
}
