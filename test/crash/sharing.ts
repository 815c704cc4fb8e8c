import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CaseCommand } from '../../src/cases/command.ts'
import { type Program, startProgram } from './program.ts'

export const PROCESSES = 8
/** Questions of one process under way: many, but few enough that a race lasts until the kills. */
const ASKED_AT_ONCE = 25

/** The process that the lock names as the store's owner. */
export function ownerPid(folder: string): number | undefined {
  try {
    const highest = readdirSync(join(folder, 'lock'))
      .filter((name) => /^\d+$/.test(name))
      .sort((a, b) => Number(b) - Number(a))[0]
    return (JSON.parse(readFileSync(join(folder, 'lock', highest ?? ''), 'utf8')) as { pid: number }).pid
  } catch {
    return undefined
  }
}

/** Kills whichever of these processes owns the store now; false when it is none of them. */
export async function killOwner(folder: string, programs: readonly Program[]): Promise<boolean> {
  const pid = ownerPid(folder)
  const owner = programs.find(({ child }) => child.pid === pid && child.exitCode === null)
  if (!owner || owner.child.signalCode !== null) return false
  await owner.kill()
  return true
}

export interface Answer {
  readonly by: string
  readonly index: number
  readonly kind: string
  readonly code: string
  readonly created: readonly string[]
}

/** Processes that have the same store open, each under its name. */
export async function startSharing(folder: string): Promise<Map<string, Program>> {
  const names = Array.from({ length: PROCESSES }, (_, number) => `echo-00${number + 1}`)
  const programs = new Map(names.map((name) => [name, startProgram('share-store.ts', folder, name)]))
  for (const program of programs.values()) await program.printed(1)
  return programs
}

/** Lets every process ask for its batches at the same time, and kills the owner whenever so many answers have come. */
export async function race(
  folder: string,
  programs: ReadonlyMap<string, Program>,
  batchesOf: (name: string) => readonly (readonly CaseCommand[])[],
  killsAt: readonly number[] = [],
): Promise<{ answers: Answer[]; killed: string[]; errors: string }> {
  const all = [...programs.values()]
  const kills = [...killsAt]
  const waiting: Promise<void>[] = []
  const count = () => all.reduce((sum, { lines }) => sum + lines.length, 0)
  for (const program of all) {
    program.child.stdout?.on('data', () => {
      if (count() < (kills[0] ?? Number.POSITIVE_INFINITY)) return
      const at = kills.shift() ?? 0
      // Between two owners there is none to kill; then the next answer is the moment.
      waiting.push(killOwner(folder, all).then((isKilled) => void (isKilled || kills.unshift(at))))
    })
  }
  for (const [name, program] of programs) {
    const batches = batchesOf(name)
    for (let from = 0; from < batches.length; from += ASKED_AT_ONCE) {
      program.say(JSON.stringify(batches.slice(from, from + ASKED_AT_ONCE)))
    }
    program.child.stdin?.end()
  }
  const ends = await Promise.all(all.map(({ ended }) => ended))
  await Promise.all(waiting)
  const killed = [...programs].filter(([, { child }]) => child.signalCode === 'SIGKILL').map(([name]) => name)
  return { answers: answersOf(programs), killed, errors: ends.map(({ errors }) => errors).join('') }
}

function answersOf(programs: ReadonlyMap<string, Program>): Answer[] {
  return [...programs].flatMap(([by, { lines }]) =>
    lines
      .filter((line) => /^\d/.test(line))
      .map((line) => {
        const [index, kind = '', code = '', ...created] = line.split(' ')
        return { by, index: Number(index), kind, code, created }
      }),
  )
}
