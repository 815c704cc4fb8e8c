import { type SpawnOptionsWithoutStdio, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, onTestFinished } from 'vitest'
import { runCommand } from '../../src/cli/run-command.ts'

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CaseJson {
  readonly id: string
  readonly status: string
  readonly [field: string]: unknown
}

const program = resolve(import.meta.dirname, '../../bin/axiom.js')

/**
 * A temporary folder that is gone when the test that asked for it has ended. Asked for while a file is loaded, it is
 * gone at the file's end; asked for by a hook, the hook returns `removeFolder` of it.
 */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'axiom-cli-')))
  const remove = removeFolder(folder)
  try {
    onTestFinished(remove)
  } catch {
    // Asked for outside of a test.
    afterAll(remove)
  }
  return folder
}

/** What a hook returns, so that the folder goes when the tests that it prepared have ended. */
export function removeFolder(folder: string): () => void {
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Starts the built program as a process of its own. */
export function start(
  cwd: string,
  argv: readonly string[],
  options: SpawnOptionsWithoutStdio = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [program, ...argv], { ...options, cwd })
  const text = { stdout: '', stderr: '' }
  child.stdin.end()
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.stderr += chunk))
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('close', (code) => done({ code, ...text }))
  })
}

/** The same from arguments to output, within this process: a hundred commands in the time of a few starts. */
export async function run(
  cwd: string,
  argv: readonly string[],
  env: Record<string, string> = {},
): Promise<Ran> {
  const text = { stdout: '', stderr: '' }
  const { stdin } = process
  const stdout = { write: (chunk: string) => (text.stdout += chunk) }
  const stderr = { write: (chunk: string) => (text.stderr += chunk) }
  const code = await runCommand(argv, { stdin, stdout, stderr, env, cwd })
  return { code, ...text }
}

/** A project with an empty folder, and what a person would type in it. */
export class Project {
  readonly folder = temporaryFolder()

  static async make(...commands: readonly (readonly string[])[]): Promise<Project> {
    const project = new Project()
    mkdirSync(join(project.folder, '.axiom'))
    for (const argv of commands) await project.ok(...argv)
    return project
  }

  run(...argv: readonly string[]): Promise<Ran> {
    return run(this.folder, argv)
  }

  /** Runs a command that must succeed without a word on standard error; returns what it printed. */
  async ok(...argv: readonly string[]): Promise<string> {
    const ran = await this.run(...argv)
    expect(ran, argv.join(' ')).toMatchObject({ code: 0, stderr: '' })
    return ran.stdout
  }

  /** The one JSON value that a command prints. */
  async json<Value = CaseJson>(...argv: readonly string[]): Promise<Value> {
    const printed = await this.ok(...argv, '--json')
    expect(printed.trimEnd().split('\n')).toHaveLength(1)
    return JSON.parse(printed) as Value
  }

  /** Writes a file into the project and returns its name. */
  file(name: string, content: unknown): string {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    writeFileSync(join(this.folder, name), text)
    return name
  }

  /** The journal, byte by byte. */
  journal(): string {
    return readFileSync(join(this.folder, '.axiom/cases.jsonl'), 'latin1')
  }

  /** What differs between two runs of the same commands gets one name. */
  normal(text: string): string {
    return text
      .replaceAll(this.folder, 'PROJECT')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
      .replace(/\d+ bytes/g, 'N bytes')
      .replace(/torn-[\dTZ-]+/g, 'torn-TIME')
  }
}
