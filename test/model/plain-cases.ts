/**
 * The laws of cases once more, written as plainly as possible from the specification: one map, everything
 * recomputed from scratch at every question. Slow and obvious; the real thing must agree with it.
 */
export interface PlainCase {
  id: string
  type: string
  status: string
  content: string
  parent: string | null
  dependsOn: string[]
  deleted: boolean
  fence: number
  leases: Record<string, { holder: string; fence: number; until: number }>
  retries: number
  deferredFrom?: string
}

export type PlainCommand =
  | { kind: 'create'; type: string; content: string; parent: string | null; dependsOn: string[] }
  | { kind: 'move'; id: string; status: string }
  | { kind: 'transition'; id: string; type: string }
  | { kind: 'claim'; id: string; stage: string; holder: string; ttlMs: number }
  | { kind: 'release'; id: string; stage: string; fence?: number }
  | { kind: 'complete'; id: string }
  | { kind: 'depend'; id: string; on: string }
  | { kind: 'undepend'; id: string; on: string }
  | { kind: 'delete'; id: string; cascade: boolean }
  | { kind: 'recover'; id: string }
  | { kind: 'split'; id: string; types: string[] }

const PREFIX: Record<string, string> = {
  directive: 'dir',
  draft: 'draft',
  research: 'res',
  pending: 'pend',
  deferred: 'def',
  operation: 'op',
  task: 'task',
  discovery: 'disc',
}

/** "from>to" for every allowed change of type. */
const TYPE_MOVES = new Set(
  `draft>research draft>pending draft>operation draft>deferred research>draft research>operation research>deferred
   pending>draft pending>operation pending>deferred operation>draft operation>deferred task>deferred`.split(
    /\s+/,
  ),
)
const PLANNING = ['draft', 'research', 'pending', 'operation', 'deferred']
const CHILD_TYPES: Record<string, string[]> = {
  directive: PLANNING,
  draft: PLANNING,
  operation: ['task', 'research', 'pending'],
  research: ['draft'],
  task: ['discovery'],
}
const ORDINARY = new Set(
  'pending>active active>pending pending>blocked blocked>pending active>blocked blocked>active active>done'.split(
    ' ',
  ),
)
const TASK = new Set(
  `pending>active active>pending pending>blocked blocked>pending active>blocked blocked>active active>review active>failed
   active>timeout review>active review>done review>failed failed>pending timeout>pending`.split(/\s+/),
)
const DISCOVERY = new Set(
  'active>outdated outdated>active active>archived archived>active outdated>archived'.split(' '),
)

export class PlainCases {
  readonly cases = new Map<string, PlainCase>()
  readonly #counters = new Map<string, number>()
  now = 0

  /** Carries the command out and returns 'ok', or returns the code of its refusal and changes nothing. */
  run(command: PlainCommand): string {
    const before = structuredClone([...this.cases])
    const counters = new Map(this.#counters)
    const outcome = this.#run(command)
    if (outcome !== 'ok') {
      this.cases.clear()
      for (const [id, subject] of before) this.cases.set(id, subject)
      this.#counters.clear()
      for (const [prefix, number] of counters) this.#counters.set(prefix, number)
    }
    return outcome
  }

  #run(command: PlainCommand): string {
    switch (command.kind) {
      case 'create':
        return this.#create(command)
      case 'split':
        return this.#split(command)
      case 'move':
        return this.#with(command.id, (subject) => this.#move(subject, command.status))
      case 'transition':
        return this.#with(command.id, (subject) => this.#transition(subject, command.type))
      case 'claim':
        return this.#with(command.id, (subject) => this.#claim(subject, command))
      case 'release':
        return this.#with(command.id, (subject) => this.#release(subject, command))
      case 'complete':
        return this.#with(command.id, (subject) => this.#complete(subject))
      case 'depend':
        if (command.id === command.on) return 'SELF_DEPENDENCY'
        return this.#with(command.id, (subject) =>
          this.#with(command.on, () => this.#depend(subject, command.on)),
        )
      case 'undepend':
        return this.#with(command.id, (subject) => {
          if (!subject.dependsOn.includes(command.on)) return 'NotFound'
          subject.dependsOn = subject.dependsOn.filter((on) => on !== command.on)
          return this.#settle(subject)
        })
      case 'delete':
        return this.#with(command.id, (subject) => this.#delete(subject, command.cascade))
      case 'recover':
        return this.#with(command.id, (subject) => this.#recover(subject))
    }
  }

  #with(id: string, act: (subject: PlainCase) => string): string {
    const subject = this.cases.get(id)
    return subject && !subject.deleted ? act(subject) : 'NotFound'
  }

  live(): PlainCase[] {
    return [...this.cases.values()].filter((subject) => !subject.deleted)
  }

  #children(id: string): PlainCase[] {
    return this.live().filter(({ parent }) => parent === id)
  }

  #ancestors(subject: PlainCase): PlainCase[] {
    const parent = subject.parent === null ? undefined : this.cases.get(subject.parent)
    return parent ? [parent, ...this.#ancestors(parent)] : []
  }

  #isDone(id: string): boolean {
    const subject = this.cases.get(id)
    return (
      subject !== undefined && !subject.deleted && subject.status === 'done' && subject.type !== 'deferred'
    )
  }

  #openDependencies(subject: PlainCase): boolean {
    return [subject, ...this.#ancestors(subject)].some((one) => one.dependsOn.some((on) => !this.#isDone(on)))
  }

  isReady(subject: PlainCase): boolean {
    const operation = this.cases.get(subject.parent ?? '')
    return (
      subject.type === 'task' &&
      !subject.deleted &&
      subject.status === 'pending' &&
      operation?.type === 'operation' &&
      !operation.deleted &&
      !['blocked', 'done'].includes(operation.status) &&
      !this.#children(operation.id).some(
        ({ type, status }) => ['research', 'pending'].includes(type) && status !== 'done',
      ) &&
      !this.#openDependencies(subject)
    )
  }

  /**
   * Whether anything waits for itself. A start waits for the parent's start and the ends of dependencies; in an
   * operation the tasks' starts wait for its gate, the gate for the ends of all else under it, its end for its tasks.
   */
  hasCircle(): boolean {
    const kind = (subject: PlainCase) => subject.deferredFrom ?? subject.type
    const next = (point: string): string[] => {
      const [id = '', at] = point.split(' ')
      const subject = this.cases.get(id)
      if (!subject || subject.deleted) return []
      const under = (isTask: boolean) =>
        kind(subject) !== 'operation'
          ? []
          : this.#children(id)
              .filter((child) => (kind(child) === 'task') === isTask)
              .map((child) => `${child.id} end`)
      if (at === 'end') return [`${id} start`, `${id} gate`, ...under(true)]
      if (at === 'gate') return [`${id} start`, ...under(false)]
      const parent =
        subject.parent === null ? [] : [`${subject.parent} ${kind(subject) === 'task' ? 'gate' : 'start'}`]
      return [...parent, ...subject.dependsOn.map((on) => `${on} end`)]
    }
    const state = new Map<string, 'open' | 'closed'>()
    const visit = (point: string): boolean => {
      if (state.get(point) === 'open') return true
      if (state.get(point) === 'closed') return false
      state.set(point, 'open')
      const circle = next(point).some(visit)
      state.set(point, 'closed')
      return circle
    }
    return [...this.cases.keys()].some((id) => visit(`${id} end`))
  }

  #create(command: Extract<PlainCommand, { kind: 'create' }>): string {
    if (command.content.trim() === '') return 'MissingRequired'
    if (command.parent === null) {
      if (['task', 'discovery'].includes(command.type)) return 'MissingRequired'
    } else {
      const parent = this.cases.get(command.parent)
      if (!parent || parent.deleted) return 'NotFound'
      if (!(CHILD_TYPES[parent.type] ?? []).includes(command.type)) return 'InvalidTransition'
      if (parent.status === 'done' && command.type === 'task') return 'InvalidStatus'
    }
    for (const on of command.dependsOn) {
      const target = this.cases.get(on)
      if (!target || target.deleted) return 'NotFound'
    }
    const prefix = PREFIX[command.type] ?? ''
    const number = (this.#counters.get(prefix) ?? 0) + 1
    this.#counters.set(prefix, number)
    const subject: PlainCase = {
      id: `${prefix}-${String(number).padStart(3, '0')}`,
      type: command.type,
      status: command.type === 'discovery' ? 'active' : 'pending',
      content: command.content.trim(),
      parent: command.parent,
      dependsOn: [...new Set(command.dependsOn)],
      deleted: false,
      fence: 0,
      leases: {},
      retries: 0,
    }
    this.cases.set(subject.id, subject)
    return this.hasCircle() ? 'CIRCULAR_DEPENDENCY' : this.#settle(subject)
  }

  #split({ id, types }: Extract<PlainCommand, { kind: 'split' }>): string {
    if (types.length === 0) return 'MissingRequired'
    for (const [i, type] of types.entries()) {
      const outcome = this.#create({ kind: 'create', type, content: `part ${i}`, parent: id, dependsOn: [] })
      if (outcome !== 'ok') return outcome
    }
    return 'ok'
  }

  #move(subject: PlainCase, status: string): string {
    const moves = subject.type === 'task' ? TASK : subject.type === 'discovery' ? DISCOVERY : ORDINARY
    if (!moves.has(`${subject.status}>${status}`)) return 'InvalidStatus'
    if (status === 'done' && this.#mayNotEnd(subject)) return 'InvalidStatus'
    this.#setStatus(subject, status)
    return this.#settle(subject)
  }

  #mayNotEnd(subject: PlainCase): boolean {
    const openTasks = this.#children(subject.id).some(
      (child) => child.type === 'task' && child.status !== 'done',
    )
    return this.#openDependencies(subject) || (subject.type === 'operation' && openTasks)
  }

  #setStatus(subject: PlainCase, status: string): void {
    subject.status = status
    if (subject.type === 'task' && !['active', 'review'].includes(status)) subject.leases = {}
  }

  #complete(subject: PlainCase): string {
    if (!['pending', 'active'].includes(subject.status)) return 'InvalidStatus'
    if (['discovery', 'deferred'].includes(subject.type) || this.#mayNotEnd(subject)) return 'InvalidStatus'
    this.#setStatus(subject, 'done')
    return this.#settle(subject)
  }

  #transition(subject: PlainCase, type: string): string {
    const back = subject.type === 'deferred' && subject.deferredFrom === type
    const toDraft = subject.type === 'deferred' && type === 'draft' && subject.deferredFrom !== 'task'
    if (!TYPE_MOVES.has(`${subject.type}>${type}`) && !back && !toDraft) return 'InvalidTransition'
    const misfits = this.#children(subject.id).filter(
      (child) => child.type !== 'deferred' && !(CHILD_TYPES[type] ?? []).includes(child.type),
    )
    if (type !== 'deferred' && misfits.length > 0) return 'InvalidTransition'
    if (type === 'deferred') subject.deferredFrom = subject.type
    else delete subject.deferredFrom
    subject.type = type
    subject.status = 'pending'
    subject.leases = {}
    return this.hasCircle() ? 'CIRCULAR_DEPENDENCY' : this.#settle(subject)
  }

  #claim(subject: PlainCase, { stage, holder, ttlMs }: Extract<PlainCommand, { kind: 'claim' }>): string {
    const lease = subject.leases[stage]
    if (lease && lease.until > this.now) return 'AlreadyClaimed'
    if (lease) {
      delete subject.leases[stage]
      if (stage === 'develop' && subject.status === 'active') {
        subject.status = 'pending'
        subject.retries += 1
      }
    }
    if (stage === 'develop' ? !this.isReady(subject) : subject.type !== 'task' || subject.status !== 'review')
      return 'InvalidStatus'
    subject.fence += 1
    subject.leases[stage] = { holder, fence: subject.fence, until: this.now + ttlMs }
    if (stage === 'develop') subject.status = 'active'
    return this.#settle(subject)
  }

  #release(subject: PlainCase, { stage, fence }: Extract<PlainCommand, { kind: 'release' }>): string {
    const lease = subject.leases[stage]
    if (!lease) {
      const current = Object.values(subject.leases).some((one) => one.fence === fence)
      return fence !== undefined && fence <= subject.fence && !current ? 'StaleClaim' : 'NotClaimed'
    }
    if (fence !== undefined && fence !== lease.fence) return 'StaleClaim'
    delete subject.leases[stage]
    if (stage === 'develop' && subject.status === 'active') this.#setStatus(subject, 'pending')
    return this.#settle(subject)
  }

  #recover(subject: PlainCase): string {
    if (subject.type !== 'task' || subject.status !== 'active') return 'InvalidStatus'
    const lease = subject.leases.develop
    if (lease && lease.until > this.now) return 'AlreadyClaimed'
    subject.retries += 1
    this.#setStatus(subject, 'pending')
    return this.#settle(subject)
  }

  #depend(subject: PlainCase, on: string): string {
    if (subject.dependsOn.includes(on)) return 'InvalidValue'
    subject.dependsOn.push(on)
    return this.hasCircle() ? 'CIRCULAR_DEPENDENCY' : this.#settle(subject)
  }

  #delete(subject: PlainCase, cascade: boolean): string {
    const doomed = [subject]
    for (const one of doomed) doomed.push(...this.#children(one.id))
    if (doomed.length > 1 && !cascade) return 'InvalidStatus'
    const waits = this.live().some(
      (one) => !doomed.includes(one) && one.dependsOn.some((on) => doomed.some(({ id }) => id === on)),
    )
    if (waits) return 'InvalidStatus'
    for (const one of doomed) {
      one.deleted = true
      one.leases = {}
    }
    for (const one of doomed) this.#settle(one)
    return 'ok'
  }

  /** An operation follows its tasks. */
  #settle(changed: PlainCase): 'ok' {
    const operation = changed.type === 'operation' ? changed : this.cases.get(changed.parent ?? '')
    if (operation?.type !== 'operation' || operation.deleted) return 'ok'
    if (operation !== changed && !this.#isWork(changed)) return 'ok'
    const work = this.#children(operation.id).filter((child) => this.#isWork(child))
    const open = work.some((child) => child.type === 'task' && child.status !== 'done')
    if (['pending', 'active'].includes(operation.status)) {
      if (work.length > 0 && !open) operation.status = 'done'
      else if (operation.status === 'pending' && changed.type === 'task' && changed.status === 'active')
        operation.status = 'active'
    } else if (operation.status === 'done' && open) operation.status = 'active'
    return 'ok'
  }

  #isWork({ type, deferredFrom }: PlainCase): boolean {
    return type === 'task' || (type === 'deferred' && deferredFrom === 'task')
  }
}
