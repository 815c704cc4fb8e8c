import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { countProcessesWith } from '../clients/scratch.ts'
import { until } from './scene.ts'

const PROGRAM = join(import.meta.dirname, 'programs/orchestrator.ts')

/** A director in a process of its own, which can be killed without a chance to say goodbye. */
export class Orchestrator {
  readonly #child: ChildProcess
  readonly #root: string
  readonly #gone: Promise<unknown>
  #said = ''

  private constructor(root: string) {
    this.#root = root
    this.#child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, root], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#gone = once(this.#child, 'exit')
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      this.#said += chunk.toString()
    })
  }

  /** Started, but at rest until `go`. */
  static async start(root: string): Promise<Orchestrator> {
    const orchestrator = new Orchestrator(root)
    await orchestrator.#hear('ready')
    return orchestrator
  }

  go(): void {
    this.#child.stdin?.write('go\n')
  }

  async finish(): Promise<void> {
    await this.#hear('done')
    await this.#gone
  }

  /** Gone, with every agent that it had started. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    this.#child.kill(signal)
    await this.#gone
    await until(() => countProcessesWith(this.#root) === 0, 'processes are left')
  }

  async #hear(word: string): Promise<void> {
    await until(
      () => this.#said.includes(word) || this.#child.exitCode !== null,
      `never heard "${word}" in: ${this.#said}`,
    )
  }
}
