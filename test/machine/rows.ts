import type { DemoReport } from './demo-in-machine.ts'
import type { Checkout } from './first-start.ts'
import type { Machine } from './machine.ts'

/** Every value of every dimension in which the machines of newcomers differ. */
export const DIMENSIONS = {
  wall: ['bubblewrap', 'unshare', 'refused', 'missing'],
  node: ['20.19', '22', '24'],
  checkout: ['plain', 'spaces', 'link'],
  user: ['root', 'plain'],
  place: ['plain', 'chatham'],
  openFiles: ['usual', 'few'],
} as const satisfies { [Name in keyof Machine]: readonly Machine[Name][] } & { checkout: readonly Checkout[] }

export interface Row extends Machine {
  readonly name: string
  readonly checkout: Checkout
  /** Installs and builds for itself, with nothing in npm's cache; the others are given what the first one made. */
  readonly installs: boolean
}

/** The level of walls that agents have to be found at. */
export const LEVEL_OF: Readonly<Record<Machine['wall'], string>> = {
  bubblewrap: 'bwrap',
  unshare: 'unshare',
  refused: 'process-group',
  missing: 'process-group',
}

type Values = readonly [
  Row['wall'],
  Row['node'],
  Row['checkout'],
  Row['user'],
  Row['place'],
  Row['openFiles'],
  'installs'?,
]

/** Every two values of two dimensions meet in at least one of them. The first makes what the others are given. */
export const ROWS: readonly Row[] = (
  [
    ['unshare', '20.19', 'plain', 'plain', 'plain', 'usual', 'installs'],
    ['unshare', '22', 'spaces', 'plain', 'chatham', 'few', 'installs'],
    ['unshare', '24', 'link', 'root', 'chatham', 'usual'],
    ['bubblewrap', '24', 'plain', 'root', 'chatham', 'usual', 'installs'],
    ['bubblewrap', '22', 'link', 'root', 'plain', 'few'],
    ['bubblewrap', '20.19', 'spaces', 'plain', 'plain', 'usual'],
    ['refused', '20.19', 'link', 'root', 'chatham', 'few'],
    ['refused', '22', 'plain', 'plain', 'plain', 'few'],
    ['refused', '24', 'spaces', 'plain', 'chatham', 'usual'],
    ['missing', '24', 'spaces', 'root', 'plain', 'few'],
    ['missing', '22', 'link', 'plain', 'chatham', 'usual'],
    ['missing', '20.19', 'plain', 'plain', 'chatham', 'few'],
  ] satisfies Values[]
).map(([wall, node, checkout, user, place, openFiles, installs]) => ({
  name: `${wall}-${node}-${user}-${checkout}`,
  wall,
  node,
  checkout,
  user,
  place,
  openFiles,
  installs: installs === 'installs',
}))

/** Everything for which a row is red. */
export function listFaults(row: Row, { landed, exitCode, level, left }: DemoReport): string[] {
  return [
    ...(landed === 6 ? [] : [`landed ${landed ?? 'nobody knows how many'} of 6`]),
    ...(exitCode === 0 ? [] : [`ended with ${exitCode}`]),
    ...(level === LEVEL_OF[row.wall] ? [] : [`ran at ${level} instead of ${LEVEL_OF[row.wall]}`]),
    ...left.map((what) => `left behind: ${what}`),
  ]
}
