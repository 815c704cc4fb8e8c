import { expect } from 'vitest'
import type { Case } from '../../src/cases/case.ts'
import type { CaseCommand } from '../../src/cases/command.ts'
import { newDelivery } from '../../src/delivery/delivery-state.ts'
import { type Project, readProject } from '../../src/project/document.ts'
import type { CaseRecord } from '../../src/store/store.ts'
import { type Rig, startRig } from '../server/rig.ts'
import { PATIENCE_MS } from './chromium.ts'
import { PAGES } from './scripted-server.ts'

const LEASE_MS = 3_600_000
const COMMIT = 'a'.repeat(40)

/** A real store behind the real server and the real pages, in which every scene makes its own cases. */
export class Stage implements AsyncDisposable {
  readonly rig: Rig
  #agents = 0

  private constructor(rig: Rig) {
    this.rig = rig
  }

  static async open(): Promise<Stage> {
    const stage = new Stage(await startRig({ pagesFolder: PAGES }))
    await stage.commit(
      { kind: 'create', type: 'directive', content: 'a need' },
      { kind: 'create', type: 'operation', content: 'a part of it', parentId: 'dir-001' },
    )
    return stage
  }

  async commit(...commands: CaseCommand[]): Promise<readonly string[]> {
    const answer = await this.rig.store.transact({ by: 'tests', commands })
    if (answer.kind !== 'committed') throw new Error(JSON.stringify(answer))
    return answer.created
  }

  /** A task of its own, in the state that a scene begins with. */
  async task(content = 'a task', change: (id: string) => readonly CaseCommand[] = () => []): Promise<string> {
    const [id = ''] = await this.commit({ kind: 'create', type: 'task', content, parentId: 'op-001' })
    const commands = change(id)
    if (commands.length > 0) await this.commit(...commands)
    return id
  }

  /** An agent that holds a task of its own. */
  async agent(): Promise<{ readonly agent: string; readonly task: string }> {
    this.#agents += 1
    const agent = `echo-${String(this.#agents).padStart(3, '0')}`
    const task = await this.task(`the task of ${agent}`, (id) => [
      { kind: 'claim', id, stage: 'develop', holder: agent, ttlMs: LEASE_MS },
    ])
    return { agent, task }
  }

  reviewed(): Promise<string> {
    const delivery = { ...newDelivery(), state: 'person-review', commit: COMMIT }
    return this.task('a change that passed its auditor', (id) => [
      { kind: 'update', id, metadata: { delivery } },
      { kind: 'move', id, status: 'active', reason: 'begun' },
      { kind: 'move', id, status: 'review', reason: 'handed in' },
    ])
  }

  failed(): Promise<string> {
    const delivery = { ...newDelivery(), state: 'failed' }
    return this.task('a task that failed', (id) => [
      { kind: 'update', id, metadata: { delivery } },
      { kind: 'move', id, status: 'active', reason: 'begun' },
      { kind: 'move', id, status: 'failed', reason: 'no luck' },
    ])
  }

  /** A task whose repair was given up, with the question about it. */
  async broken(): Promise<string> {
    const delivery = { ...newDelivery(), state: 'repair-escalated', resume: ['queued'] }
    const task = await this.task('a task in a broken environment', (id) => [
      { kind: 'update', id, metadata: { delivery } },
      { kind: 'move', id, status: 'blocked', reason: 'broken' },
    ])
    const metadata = { question: `What about ${task}?`, waitingTask: task }
    await this.commit({ kind: 'create', type: 'pending', content: 'a repair that was given up', metadata })
    return task
  }

  async question(): Promise<string> {
    const metadata = { question: 'Which licence?', options: [{ label: 'MIT' }, { label: 'Apache' }] }
    const [id = ''] = await this.commit({
      kind: 'create',
      type: 'pending',
      content: 'Which licence?',
      metadata,
    })
    return id
  }

  async case(id: string): Promise<CaseRecord | undefined> {
    return (await this.rig.store.query({ ids: [id], deleted: true }))[0]
  }

  /** Waits until a case is as it should be. */
  async until(id: string, wanted: (subject: Case) => unknown): Promise<void> {
    const look = async () => {
      const found = await this.case(id)
      return found !== undefined && Boolean(wanted(found))
    }
    await expect.poll(look, { timeout: PATIENCE_MS }).toBe(true)
  }

  async untilProject(wanted: (project: Project) => boolean): Promise<void> {
    const look = async () => wanted((await readProject(this.rig.store)).project)
    await expect.poll(look, { timeout: PATIENCE_MS }).toBe(true)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.rig[Symbol.asyncDispose]()
  }
}
