import { spawn } from 'node:child_process'
import { Failure, systemCode } from '../failure.ts'

export interface GitCall {
  readonly arguments: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly cwd: string
  readonly input: Uint8Array | string | undefined
  readonly waitMs: number
}

export interface GitAnswer {
  readonly exitCode: number
  /** Bytes, because names in git are bytes. */
  readonly stdout: Buffer
  readonly stderr: string
}

const STDOUT_BYTES_MAX = 256 * 1024 * 1024
const STDERR_BYTES_MAX = 64 * 1024

/** Starts git with an argument vector, without a shell, and waits for its end within a bound. */
export function spawnGit(call: GitCall): Promise<GitAnswer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...call.arguments], {
      cwd: call.cwd,
      env: { ...call.environment },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const stdout: Buffer[] = []
    let stdoutBytes = 0
    let stderr = ''
    let problem: Failure | undefined
    const stop = (failure: Failure): void => {
      problem ??= failure
      killGroup(child.pid)
    }
    const timer = setTimeout(() => {
      stop(new Failure('GIT_TIMEOUT', `git ${named(call)} did not end within ${call.waitMs} ms`))
    }, call.waitMs)
    child.stdout.on('data', (chunk: Buffer) => {
      stdoutBytes += chunk.length
      if (stdoutBytes <= STDOUT_BYTES_MAX) stdout.push(chunk)
      else
        stop(new Failure('GIT_OUTPUT_TOO_LARGE', `git ${named(call)} printed over ${STDOUT_BYTES_MAX} bytes`))
    })
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < STDERR_BYTES_MAX) stderr += chunk.toString('utf8')
    })
    child.stdin.on('error', () => undefined)
    child.stdin.end(call.input ?? '')
    child.on('error', (error) => {
      clearTimeout(timer)
      reject(startFailure(error, call))
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      if (problem) reject(problem)
      else resolve({ exitCode: code ?? 128, stdout: Buffer.concat(stdout), stderr: stderr.trim() })
    })
  })
}

function startFailure(error: Error, call: GitCall): Failure {
  if (systemCode(error) !== 'ENOENT') {
    return new Failure('GIT_FAILED', `git could not be started: ${error.message}`, { cause: error })
  }
  return new Failure('GIT_NOT_FOUND', `git could not be started in ${call.cwd}`, {
    hint: 'Install git 2.39.4 or newer, and check that the folder exists.',
    cause: error,
  })
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error
  }
}

/** The subcommand: the first word after the leading `-c name=value` pairs. */
function named(call: GitCall): string {
  return call.arguments.find((word, i) => !word.startsWith('-') && call.arguments[i - 1] !== '-c') ?? ''
}
