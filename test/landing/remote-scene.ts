import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readDelivery } from '../../src/delivery/delivery-state.ts'
import { Director } from '../../src/director/director.ts'
import type { Hands } from '../../src/director/hands.ts'
import { makeMeans } from '../../src/director/open/make-means.ts'
import { openHands } from '../../src/director/open/open-hands.ts'
import { rulesOf } from '../../src/director/open/rules-of.ts'
import type { Notice } from '../../src/project/alerts.ts'
import { type LandingScene, openLandingScene, sh } from './scene.ts'

const WAIT_MAX_MS = 120_000

export interface RemoteScene extends LandingScene {
  /** A bare repository on disk, with the user's branch on it. */
  readonly remote: string
  /** A checkout of it, as a person at the remote has one. */
  readonly person: string
  readonly notices: Notice[]
  hands(): Promise<Hands>
  /** A director at work for as long as the block lasts. */
  directed<T>(work: (hands: Hands) => Promise<T>): Promise<T>
  /** Branches of the remote that agents' work was pushed to, with their commits. */
  branches(): Map<string, string>
  /** A line for the shell in the person's checkout, brought up to date before. */
  merge(line: string): string
  stateOf(task: string): Promise<string>
}

export async function openRemoteScene(
  options: Parameters<typeof openLandingScene>[0] = {},
): Promise<RemoteScene> {
  const config = { ...options.config, integration: { mode: 'pull-request', ...integrationOf(options) } }
  const scene = await openLandingScene({ verification: ['test ! -e broken'], ...options, config })
  const { root, user } = scene.scratch
  const remote = join(root, 'remote.git')
  const person = join(root, 'person')
  sh(root, 'git init -q --bare -b main remote.git')
  sh(user, 'git remote add origin ../remote.git && git push -q origin main')
  sh(root, 'git clone -q remote.git person')
  const notices: Notice[] = []
  const hands = (): Promise<Hands> =>
    openHands(scene.world, {
      holder: 'dex-001',
      userEnvironment: {},
      environment: { HOME: root },
      isWalled: true,
    })
  return {
    ...scene,
    remote,
    person,
    notices,
    hands,
    async directed(work) {
      const held = await hands()
      const means = makeMeans(scene.world, held, (notice) => notices.push(notice))
      const rules = rulesOf(scene.world.config, { slots: 1, nonInteractive: false })
      const director = new Director({ means, rules, stays: true })
      const ended = director.run()
      try {
        // A director that fails ends the wait.
        return await Promise.race([work(held), ended.then(() => Promise.reject(new Error('it ended')))])
      } finally {
        director.leave('now')
        await ended
      }
    },
    branches() {
      const lines = execFileSync('git', ['for-each-ref', '--format=%(refname:lstrip=2) %(objectname)'], {
        cwd: remote,
        encoding: 'utf8',
      })
      const pairs = lines.split('\n').filter((line) => line.startsWith('agent/'))
      return new Map(pairs.map((line) => line.split(' ') as [string, string]))
    },
    merge: (line) => sh(person, `git fetch -q --prune && git reset -q --hard origin/main && ${line}`),
    async stateOf(task) {
      const read = readDelivery(await scene.task(task))
      return read.kind === 'read' ? read.delivery.state : read.reason
    },
  }
}

function integrationOf({ config }: NonNullable<Parameters<typeof openLandingScene>[0]>): object {
  return (config as { integration?: object } | undefined)?.integration ?? {}
}

/** Waits for what must come to pass. */
export async function until(holds: () => unknown | Promise<unknown>): Promise<void> {
  const begun = Date.now()
  while (!(await holds())) {
    if (Date.now() - begun > WAIT_MAX_MS) throw new Error(`it did not come to pass: ${holds}`)
    await sleep(50)
  }
}
