import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type DemoReport, runDemoInMachine } from './demo-in-machine.ts'
import type { Machine } from './machine.ts'

/** Where the checkout lies: a plain folder, one with spaces and umlauts, or one reached through a symbolic link. */
export type Checkout = 'plain' | 'spaces' | 'link'

export interface FirstStart {
  readonly machine: Machine
  readonly checkout: Checkout
  readonly prepared: Prepared
  /** Shell lines between the preparation of the checkout and the demo, run in the checkout. */
  readonly before?: string
  onOutput?(text: string): void
}

/**
 * Where a prepared checkout is kept for other machines, and whether this one makes it: from nothing, with an empty
 * cache of npm's, and leaves what it installed and built for those in which installing is not what is tried.
 */
export interface Prepared {
  readonly folder: string
  readonly isMadeHere: boolean
}

/** A folder with what is committed here, into which every user of a machine can put its prepared checkout. */
export function openPreparedFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'axiom-prepared-'))
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'made'))
  chmodSync(join(folder, 'made'), 0o777)
  execFileSync('git', ['-C', ROOT, 'bundle', 'create', '--quiet', join(folder, 'bundle'), 'HEAD'])
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

const ROOT = resolve(import.meta.dirname, '../..')

/** The first that is made is kept. */
const KEEP = 'if [ ! -e /media/kept/made/dist ]; then cp -R node_modules dist dist-web /media/kept/made/; fi'

/** How the paths differ. The demo makes its repository beside the checkout where the path is what is tried. */
const LAYOUT: Readonly<Record<Checkout, string>> = {
  plain: 'checkout=$HOME/axiom; set --',
  spaces:
    'mkdir -p "$HOME/Müllers Projekte"; checkout="$HOME/Müllers Projekte/axiom"; set -- --dir "$HOME/Müllers Projekte/Kassen Buch"',
  link: 'mkdir -p "$HOME/real"; ln -s real "$HOME/link"; checkout=$HOME/link/axiom; set -- --dir "$HOME/link/ledger"',
}

/** Clones what is committed here into a fresh machine and starts it as the README says. */
export function startFirst(start: FirstStart): Promise<DemoReport> {
  return runDemoInMachine({
    machine: start.machine,
    kept: start.prepared.folder,
    prepare: [
      LAYOUT[start.checkout],
      'git clone --quiet -c advice.detachedHead=false /media/kept/bundle "$checkout"',
      'cd "$checkout"',
      ...(start.prepared.isMadeHere ? [] : ['cp -R /media/kept/made/. .']),
      ...(start.before === undefined ? [] : [start.before]),
    ],
    demo: 'npm start -- --exit --json "$@"',
    afterwards: start.prepared.isMadeHere ? [KEEP] : [],
    ...(start.onOutput ? { onOutput: start.onOutput } : {}),
  })
}
