import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Each with the npm that is delivered with it. */
const NPM_OF = { '20.19': '10', '22': '10', '24': '11' } as const

export type NodeVersion = keyof typeof NPM_OF

const FETCH_TIMEOUT_MS = 300_000

/** Kept between runs, outside the repository: what is fetched once need not be fetched again. */
export const CACHE = process.env.AXIOM_MACHINE_CACHE ?? join(tmpdir(), 'axiom-machine-cache')

/** The folder of a Node as its own archive lays it out: `bin/node`, `bin/npm`, `lib/node_modules/npm`. */
export function fetchNode(version: NodeVersion): string {
  const folder = join(CACHE, `node-${version}-${process.arch}`)
  if (existsSync(folder)) return folder
  mkdirSync(CACHE, { recursive: true })
  const draft = mkdtempSync(join(CACHE, 'draft-'))
  try {
    unpack(`node-linux-${process.arch}@${version}`, join(draft, 'node'), draft)
    unpack(`npm@${NPM_OF[version]}`, join(draft, 'node/lib/node_modules/npm'), draft)
    for (const name of ['npm', 'npx'])
      symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(draft, 'node/bin', name))
    // Headers and manuals; a program that is started has no use for them.
    for (const name of ['include', 'share'])
      rmSync(join(draft, 'node', name), { recursive: true, force: true })
    chmodSync(draft, 0o755)
    if (!existsSync(folder)) renameSync(join(draft, 'node'), folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return folder
}

function unpack(name: string, folder: string, draft: string): void {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', draft, name], {
    cwd: draft,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: FETCH_TIMEOUT_MS,
    env: { ...process.env, npm_config_cache: join(draft, 'cache') },
  })
  const [archive] = readdirSync(draft).filter((file) => file.endsWith('.tgz'))
  if (archive === undefined) throw new Error(`${name} was not fetched`)
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-xzf', join(draft, archive), '-C', folder, '--strip-components=1', '--no-same-owner'])
  rmSync(join(draft, archive))
}
