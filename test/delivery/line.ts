import assert from 'node:assert/strict'
import type { DeliveryState } from '../../src/delivery/delivery-state.ts'
import { STAGE_OF_ROLE } from '../../src/delivery/delivery-table.ts'
import type { DeliveryEvent } from '../../src/delivery/occurrence.ts'
import type { PerformingRole, PerformResult } from '../../src/director/hands.ts'
import { gitEventContext } from '../../src/director/review/git-event-context.ts'
import { performRole } from '../../src/director/review/perform-role.ts'
import { agentOfRole } from '../../src/personas/roles.ts'
import { applyEvent, type EventAnswer } from '../../src/project/delivery/apply-event.ts'
import { agentEvent, directorEvent, personEvent } from '../../src/project/delivery/make-event.ts'
import { deliveryOf } from '../../src/project/task-notes.ts'
import { RunControl } from '../../src/runs/run-control.ts'
import { spawnAgent } from '../../src/runs/spawn-agent.ts'
import { parseSignals } from '../../src/signals/signal-parser.ts'
import type { CaseRecord } from '../../src/store/store.ts'
import { targetOfRecord } from '../../src/workspaces/integration-repository.ts'
import { sh } from '../git/scratch.ts'
import type { Scene } from '../hands-scene.ts'

export const TASK = 'task-001'
const LEASE_MS = 60_000

/** One task of a scene on the line, moved by hand: real agents, real git, and the director's one way in. */
export class Line {
  readonly scene: Scene
  #serial = 0

  constructor(scene: Scene) {
    this.scene = scene
  }

  task(): Promise<CaseRecord> {
    return this.scene.task(TASK)
  }

  async delivery(): Promise<DeliveryState> {
    return deliveryOf(await this.task())
  }

  target(): Promise<string> {
    const { git, integration } = this.scene.world.ground
    return targetOfRecord(git, integration)
  }

  /** A commit of these files on the target, kept as a run keeps its own. */
  async commitFiles(files: Readonly<Record<string, string>>): Promise<string> {
    const { gitDir } = this.scene.world.ground.integration
    const work = `${this.scene.scratch.root}/hand-${++this.#serial}`
    const target = await this.target()
    sh(
      this.scene.scratch.root,
      `mkdir ${work} && GIT_DIR=${gitDir} GIT_WORK_TREE=${work} GIT_INDEX_FILE=${work}.index git read-tree -u --reset ${target}`,
    )
    for (const [path, text] of Object.entries(files))
      sh(work, `mkdir -p "$(dirname ${path})" && printf '%s' '${text}' > ${path}`)
    const git = `GIT_DIR=${gitDir} GIT_WORK_TREE=${work} GIT_INDEX_FILE=${work}.index git`
    return sh(
      work,
      `${git} add -A && commit=$(${git} commit-tree -p ${target} -m work $(${git} write-tree)) && ${git} update-ref refs/axiom/runs/${TASK}/${this.#serial} $commit && echo $commit`,
    )
  }

  async tell(
    signal: DeliveryEvent,
    details: { readonly commit?: string; readonly text?: string } = {},
  ): Promise<EventAnswer> {
    const occurrence = directorEvent(TASK, signal, `d-${++this.#serial}`, details)
    return applyEvent(this.scene.store, gitEventContext(this.scene.world), { about: TASK, occurrence })
  }

  /** The person's word. */
  async decide(signal: DeliveryEvent, text?: string): Promise<EventAnswer> {
    const { commit } = await this.delivery()
    const id = `u-${++this.#serial}`
    const occurrence = personEvent(TASK, signal, { id, by: 'user', commit, text: text ?? null })
    return applyEvent(this.scene.store, gitEventContext(this.scene.world), { about: TASK, occurrence })
  }

  /** A developer takes the task and hands in this commit, with what it tells the reviewers. */
  async handIn(files: Readonly<Record<string, string>>, told = ''): Promise<string> {
    if ((await this.delivery()).state === 'queued') {
      await this.claim('develop', 'echo-001')
      await this.tell('CLAIMED')
    }
    const commit = await this.commitFiles(files)
    await this.say('developer', `READY_FOR_REVIEW: ${TASK}\n\n${told}`, commit)
    return commit
  }

  async say(role: 'developer', text: string, commit: string | null = null): Promise<EventAnswer> {
    const { names } = { names: this.scene.world.vocabulary.signals }
    const said = parseSignals([text], { names, role, task: TASK }).signals.at(-1)
    assert(said, `no signal in ${text}`)
    const stage = STAGE_OF_ROLE[role]
    const lease = stage && (await this.task()).leases?.[stage]
    assert(lease)
    const occurrence = agentEvent(role, lease.holder, said, `s-${++this.#serial}`, {
      fence: lease.fence,
      commit,
    })
    return applyEvent(this.scene.store, gitEventContext(this.scene.world), { about: TASK, occurrence })
  }

  /** Sends an agent of a role, as the director does, and commits its word. */
  async perform(
    role: PerformingRole,
    control = new RunControl(),
  ): Promise<{ result: PerformResult; answer: EventAnswer | undefined; agent: string }> {
    const { world, store } = this.scene
    const agent = await spawnAgent((prefix) => store.allocate(prefix), world.vocabulary, agentOfRole(role))
    const stage = STAGE_OF_ROLE[role]
    if (stage) await this.claim(stage, agent)
    const task = await this.task()
    const fence = (stage && task.leases?.[stage]?.fence) ?? null
    const delivery = deliveryOf(task)
    const result = await performRole(world, { role, task, agent, fence, slot: 0, control, delivery })
    return { result, agent, answer: await this.#commit(role, agent, fence, delivery, result) }
  }

  async #commit(
    role: PerformingRole,
    agent: string,
    fence: number | null,
    { request }: DeliveryState,
    result: PerformResult,
  ): Promise<EventAnswer | undefined> {
    const world = gitEventContext(this.scene.world)
    const id = `p-${++this.#serial}`
    if (result.kind === 'stopped') return undefined
    if (result.kind === 'lost') return this.tell('AGENT_LOST', { text: result.reason })
    const { signal, commit, checksGreen, text = null } = result
    const occurrence = agentEvent(role, agent, signal, id, {
      fence,
      commit,
      text,
      request: request?.id ?? null,
    })
    return applyEvent(this.scene.store, world, {
      about: TASK,
      occurrence,
      ...(checksGreen === undefined ? {} : { checksGreen }),
    })
  }

  async claim(stage: 'develop' | 'critique' | 'audit' | 'plan' | 'remediate' | 'resolve', holder: string) {
    const task = await this.task()
    const held = task.leases?.[stage]
    if (held) await this.scene.commit({ kind: 'release', id: TASK, stage, fence: held.fence })
    await this.scene.commit({ kind: 'claim', id: TASK, stage, holder, ttlMs: LEASE_MS })
  }

  /** What an agent of this role was told, iteration by iteration. */
  promptsOf(folder: string): string[] {
    return this.scene
      .read(`agents/${folder}/logs/${TASK}.jsonl`)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; input?: string })
      .filter(({ event }) => event === 'iteration')
      .map(({ input }) => input ?? '')
  }
}
