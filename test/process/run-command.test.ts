import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../../src/platform/process/run-command.ts'

const base = { cwd: tmpdir(), env: { PATH: process.env.PATH }, timeoutMs: 10_000 }

/** A killed orphan can stay a zombie until the machine's first process reaps it; it no longer runs. */
function runs(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100 && runs(pid); tries++) {
    await new Promise((resume) => setTimeout(resume, 20))
  }
  return !runs(pid)
}

describe('runCommand', () => {
  it('gives exit code and both streams', async () => {
    const result = await runCommand({ ...base, argv: ['sh', '-c', 'echo out; echo err >&2; exit 3'] })
    expect(result).toMatchObject({
      ending: { kind: 'exited', exitCode: 3 },
      stdout: 'out\n',
      stderr: 'err\n',
      truncated: false,
    })
  })

  it('puts no shell between the arguments and the program', async () => {
    const { stdout } = await runCommand({ ...base, argv: ['printf', '%s', '$(echo run)'] })
    expect(stdout).toBe('$(echo run)')
  })

  it('hands on the given environment and nothing else', async () => {
    const { stdout } = await runCommand({ ...base, env: { ...base.env, ONLY: 'this' }, argv: ['env'] })
    expect(stdout).toContain('ONLY=this')
    expect(stdout).not.toContain('HOME=')
  })

  it('passes input and closes it', async () => {
    const { stdout } = await runCommand({ ...base, argv: ['cat'], input: 'said' })
    expect(stdout).toBe('said')
  })

  it('says that a program could not be started', async () => {
    const { ending } = await runCommand({ ...base, argv: ['no-such-program-here'] })
    expect(ending).toMatchObject({ kind: 'not-started', reason: expect.stringContaining('ENOENT') })
  })

  it('ends the whole process group on timeout, also what ignores the polite signal', async () => {
    const line = `trap '' TERM; sh -c "trap '' TERM; sleep 60" & echo $!; sleep 60`
    const result = await runCommand({ ...base, timeoutMs: 200, stopGraceMs: 100, argv: ['sh', '-c', line] })
    expect(result.ending).toEqual({ kind: 'timed-out' })
    expect(Number(result.stdout)).toBeGreaterThan(1)
    expect(await isGone(Number(result.stdout))).toBe(true)
  })

  it('leaves no child behind when the program itself ended well', async () => {
    const result = await runCommand({ ...base, argv: ['sh', '-c', 'sleep 60 & echo $!'] })
    expect(result.ending).toEqual({ kind: 'exited', exitCode: 0 })
    expect(Number(result.stdout)).toBeGreaterThan(1)
    expect(await isGone(Number(result.stdout))).toBe(true)
  })

  it('keeps the end of an output that is larger than its bound', async () => {
    const line = 'head -c 3000000 /dev/zero | tr "\\0" x; echo; echo last'
    const result = await runCommand({ ...base, outputMaxBytes: 1_000, argv: ['sh', '-c', line] })
    expect(result.truncated).toBe(true)
    expect(result.stdout).toHaveLength(1_000)
    expect(result.stdout.endsWith('\nlast\n')).toBe(true)
  })
})
