import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runDemoInMachine } from './demo-in-machine.ts'
import type { Machine } from './machine.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const PACK_MS_MAX = 300_000

let folder: string
let tarball: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'axiom-pack-'))
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: PACK_MS_MAX,
  })
  tarball = join(folder, readdirSync(folder)[0] ?? 'nothing')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const OWN_PREFIX = 'export npm_config_prefix="$HOME/.npm-global"; PATH="$npm_config_prefix/bin:$PATH"'

/** Where a person's packages go: into a folder of the person's own, or beside a Node that a version manager put into HOME. */
const MACHINES: readonly (Machine & { readonly level: string; readonly prefix: string })[] = [
  {
    wall: 'unshare',
    level: 'unshare',
    user: 'plain',
    node: '20.19',
    place: 'plain',
    openFiles: 'usual',
    prefix: OWN_PREFIX,
  },
  {
    wall: 'bubblewrap',
    level: 'bwrap',
    user: 'root',
    node: '24',
    place: 'chatham',
    openFiles: 'usual',
    prefix: ':',
  },
]

it('the package asks for no step after its installation', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  expect(Object.keys(scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual([])
})

it.each(MACHINES)(
  'the packed package, installed globally on Node $node as $user, lands 6 of 6 behind $level',
  async (machine) => {
    const report = await runDemoInMachine({
      machine,
      handed: { 'axiom.tgz': tarball },
      prepare: [
        machine.prefix,
        'npm install --global --no-fund --no-audit --loglevel=error /media/handed/axiom.tgz >&2',
        'cd /',
        // Nothing that only its makers need came with it.
        'installed=$(npm root --global)/axiom/node_modules',
        'for name in typescript vite vitest @biomejs; do if [ -e "$installed/$name" ]; then echo "$name is installed" >&2; exit 3; fi; done',
      ],
      demo: 'axiom demo --exit --json',
    })
    process.stdout.write(
      `packed, Node ${machine.node}, ${machine.user}: landed ${report.landed ?? '?'} of 6, ${report.level}, ${report.seconds.toFixed(0)} s\n`,
    )
    expect({ landed: report.landed, exitCode: report.exitCode }, report.words).toEqual({
      landed: 6,
      exitCode: 0,
    })
    expect(report.level).toBe(machine.level)
    expect(report.left).toEqual([])
  },
)
