import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const CELL = join(import.meta.dirname, 'programs/wall-cell.mjs')
const LEVELS = ['bwrap', 'unshare'] as const
const SHAPES = ['plain', 'space', 'link', 'slash', 'installed'] as const
const USERS = { root: 0, 'plain user': 54_321 } as const
const CELL_MAX_MS = 60_000

interface Row {
  readonly name: string
  readonly worked: string
  readonly committed: boolean
  readonly taken: readonly string[]
}

const held = new Map<string, string>()
let top: string
let open: string

beforeAll(() => {
  requireMachine()
  execFileSync(process.execPath, [join(ROOT, 'scripts/prepare.mjs'), '--quiet'], { stdio: 'inherit' })
  top = realpathSync(mkdtempSync(join(tmpdir(), 'axiom-table-')))
  chmodSync(top, 0o755)
  // Neither masked nor private: only a closed root keeps an agent from writing here.
  open = mkdtempSync('/var/lib/axiom-table-')
  chmodSync(open, 0o777)
})

afterAll(() => {
  for (const folder of [top, open]) if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  const lines = Object.keys(USERS).flatMap((user) =>
    LEVELS.map(
      (level) =>
        `  ${user.padEnd(10)} ${level.padEnd(8)} ${SHAPES.map((shape) => `${shape} ${held.get(`${user} ${level} ${shape}`) ?? 'FAILED'}`).join(' · ')}`,
    ),
  )
  process.stdout.write(`\nan agent starts, works and cannot write elsewhere:\n${lines.join('\n')}\n`)
})

/** The table is whole or red: a level that is missing here would else be green everywhere. */
function requireMachine(): void {
  if (process.getuid?.() !== 0) throw new Error('the table of walls runs agents as two users: run it as root')
  for (const program of [...LEVELS, 'setpriv', 'git']) {
    try {
      execFileSync(program, ['--version'], { stdio: 'ignore' })
    } catch {
      throw new Error(`the table of walls needs ${program}: install bubblewrap, util-linux and git`)
    }
  }
  const readable = ['setpriv', '--reuid=54321', '--regid=54321', '--clear-groups', '--', 'test', '-r', CELL]
  try {
    execFileSync(readable[0] ?? '', readable.slice(1), { stdio: 'ignore' })
  } catch {
    throw new Error(`the table of walls needs a checkout that every user can read; ${ROOT} is private`)
  }
}

async function runCell(level: string, shape: string, uid: number): Promise<Row[]> {
  const folder = join(top, `${level}-${shape}-${uid}`)
  mkdirSync(folder)
  chownSync(folder, uid, uid)
  const words = [process.execPath, CELL, join(ROOT, 'dist'), level, shape, folder, open]
  const become = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--inh-caps=-all', '--']
  const [program = '', ...args] = uid === 0 ? words : ['setpriv', ...become, ...words]
  const env = { PATH: process.env.PATH, HOME: join(folder, 'home'), TMPDIR: folder }
  return new Promise((done, fail) => {
    execFile(program, args, { cwd: folder, env, timeout: CELL_MAX_MS }, (error, stdout, stderr) => {
      if (error) fail(new Error(`${error.message}\n${stderr}`))
      else done(JSON.parse(stdout) as Row[])
    })
  })
}

describe.each(Object.entries(USERS))('as %s', (user, uid) => {
  describe.each(LEVELS)('at level %s', (level) => {
    it.concurrent.each(SHAPES)('an agent starts, works and cannot write elsewhere: %s', async (shape) => {
      const rows = await runCell(level, shape, uid)
      expect(rows.length).toBe(shape === 'installed' ? 5 : 1)
      for (const row of rows)
        expect(row).toEqual({ name: row.name, worked: 'completed', committed: true, taken: [] })
      held.set(`${user} ${level} ${shape}`, 'holds')
    })
  })
})
