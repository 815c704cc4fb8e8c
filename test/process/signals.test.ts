import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const program = resolve(import.meta.dirname, '../../bin/axiom.js')
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'axiom-signals-'))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

function axiom(args: readonly string[], input: string | Buffer = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'signals', ...args], {
    cwd: folder,
    input,
  })
  const lines = stdout.toString().split('\n').filter(Boolean)
  return { status, stderr: stderr.toString(), found: lines.map((line) => JSON.parse(line)) }
}

describe('axiom signals', () => {
  it('prints what it sees on standard input, one JSON object per line, in the order of the text', () => {
    const { status, found } = axiom(
      ['-', '--json'],
      'Hello\n\nREADY_FOR_REVIEW: task-1\n\nSummary: done\n\n<axiom>COMPLET</axiom>\n<axiom>PROGRESS:75</axiom>\n',
    )
    expect(status).toBe(0)
    expect(found).toMatchObject([
      {
        kind: 'signal',
        notation: 'line',
        type: 'READY_FOR_REVIEW',
        payload: 'task-1',
        task: 'task-1',
        line: 3,
      },
      { kind: 'problem', code: 'SIGNAL_UNKNOWN_TYPE', raw: '<axiom>COMPLET</axiom>', line: 7 },
      { kind: 'signal', notation: 'tag', type: 'PROGRESS', payload: '75', task: null, body: null, line: 8 },
    ])
    expect(found[0].body).toEqual({ summary: 'done' })
  })

  it('reads a file, keeps to a role and a task, and speaks swarm', () => {
    writeFileSync(
      join(folder, 'answer.txt'),
      'REVIEW_PASSED: task-2\n\n<swarm>NEEDS_HUMAN:which?</swarm>\n<swarm>COMPLETE</swarm>\n',
    )
    const args = ['answer.txt', '--role', 'critic', '--task', 'task-1', '--vocabulary', 'swarm', '--json']
    expect(axiom(args).found.map(({ type, code }) => [code ?? 'ok', type])).toEqual([
      ['SIGNAL_FOREIGN_TASK', 'REVIEW_PASSED'],
      ['ok', 'NEEDS_HUMAN'],
      ['SIGNAL_WRONG_SENDER', 'COMPLETE'],
    ])
  })

  it('survives any bytes', () => {
    const { status, found } = axiom(
      [],
      Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7919 + (i >> 8)) & 255)),
    )
    expect(status).toBe(0)
    expect(found.filter(({ kind }) => kind === 'signal')).toEqual([])
  })

  it.each([
    ['an unreadable file', ['nowhere.txt', '--json']],
    ['an unknown role', ['--role', 'boss', '--json']],
    ['an unknown vocabulary', ['--vocabulary', 'klingon', '--json']],
  ])('refuses %s with a usage error', (_, args) => {
    const { status, stderr } = axiom(args)
    expect(status).toBe(2)
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'USAGE' } })
  })

  it('shows examples in its help', () => {
    const { stdout } = spawnSync(process.execPath, [program, 'signals', '--help'])
    expect(stdout.toString()).toContain('Examples:')
  })
})
