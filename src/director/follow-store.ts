import type { Case } from '../cases/case.ts'
import { PROJECT_KEY, type Project, readProject } from '../project/document.ts'
import type { Store, Transaction } from '../store/store.ts'
import { View } from './case-view.ts'

/** A store, and a current view of it. */
export interface FollowedStore extends AsyncDisposable {
  /** A commit made through it is in the view when it returns. */
  readonly store: Store
  readonly view: View
  readonly project: Project
}

export interface Listeners {
  /** Something changed; the same change may be reported more than once. */
  onChange(): void
  /** A case was changed or created; each change is reported once, and nothing of the first read. */
  onCase(before: Case | undefined, after: Case): void
  onProject(before: Project, after: Project): void
}

/** Reads everything once, then follows all commits, of any process. */
export async function followStore(store: Store, listeners: Listeners): Promise<FollowedStore> {
  const follower = new Follower(store, listeners)
  await follower.open()
  return follower
}

class Follower implements FollowedStore {
  readonly store: Store
  readonly view = new View()
  readonly #source: Store
  readonly #listeners: Listeners
  readonly #over = new AbortController()
  #project: { value: Project; rev: number } | undefined
  #following: Promise<void> = Promise.resolve()
  #isReading = false

  constructor(store: Store, listeners: Listeners) {
    this.#source = store
    this.#listeners = listeners
    this.store = new Proxy(store, {
      get: (target, name) => {
        if (name === 'transact') return (transaction: Transaction) => this.#transact(transaction)
        const member: unknown = Reflect.get(target, name, target)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
  }

  get project(): Project {
    if (this.#project) return this.#project.value
    throw new Error('the project is asked for before it was read')
  }

  async open(): Promise<void> {
    const { cursor } = await this.#source.report()
    await this.#readAll()
    this.#following = this.#follow(cursor)
  }

  async #readAll(): Promise<void> {
    this.view.load(await this.#source.query({}))
    await this.#readProject()
  }

  async #readProject(): Promise<void> {
    const { project, rev } = await readProject(this.#source)
    const before = this.#project
    if (rev < (before?.rev ?? 0)) return
    this.#project = { value: project, rev }
    if (before && before.rev !== rev) this.#listeners.onProject(before.value, project)
  }

  async #transact(transaction: Transaction): ReturnType<Store['transact']> {
    const answer = await this.#source.transact(transaction)
    if (answer.kind !== 'committed') return answer
    for (const subject of answer.cases) this.#take(subject)
    const written = transaction.documents?.find(({ key }) => key === PROJECT_KEY)
    if (written) await this.#readProject()
    return answer
  }

  #take(subject: Case): void {
    const before = this.view.get(subject.id)
    this.view.take(subject)
    const after = this.view.get(subject.id)
    if (after && after !== before) this.#listeners.onCase(before, after)
  }

  async #follow(cursor: { readonly epoch: string; readonly seq: number }): Promise<void> {
    for await (const item of this.#source.feed(cursor, this.#over.signal)) {
      if ('reset' in item) await this.#readAll()
      else {
        for (const { case: subject } of item.events) this.#take(subject)
        this.#readSoon()
      }
      this.#listeners.onChange()
    }
  }

  /** The feed does not carry documents; one read covers all changes before it. */
  #readSoon(): void {
    if (this.#isReading) return
    this.#isReading = true
    const rev = this.#project?.rev
    this.#readProject()
      .finally(() => {
        this.#isReading = false
      })
      .then(
        () => {
          if (this.#project?.rev !== rev) this.#listeners.onChange()
        },
        // The store is closing or poisoned: the next write reports it.
        () => undefined,
      )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort()
    await this.#following
  }
}
