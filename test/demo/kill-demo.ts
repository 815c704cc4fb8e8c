import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../crash/random.ts'
import { demoFolder, git, orphansIn, startAxiom, tasksOn } from './demo-process.ts'

/** One death, told when what came after it is known. */
export interface Death {
  readonly demo: number
  readonly livedMs: number
  readonly killedWhile: 'starting' | 'working'
  /** Tasks on the target of record at that moment. */
  readonly landed: number
  readonly orphans: number
  /** From the restart to the first thing that happens to a task; null when the restart was killed before. */
  readonly recoveryMs: number | null
}

export interface KillReport {
  readonly deaths: readonly Death[]
  readonly demos: number
  /** What was wrong; nothing should be. */
  readonly faults: readonly string[]
}

export interface KillPlan {
  readonly kills: number
  readonly killsPerDemo: number
  readonly seed: number
  /** Each demo has its own chances, so that one that was interrupted is followed by the next. */
  readonly firstDemo?: number
  /** Another product than this one. */
  readonly axiom?: string
  readonly signal?: AbortSignal
  onDeath?(death: Death): void
  onFinish?(demo: number, faults: readonly string[]): void
}

/** Deaths fall while a demo begins, and while its agents are at work: so long after its start, or after the first word of a task. */
const LIFE_MS = { fromStart: 5_000, fromWork: 6_000 }
const SHARE_FROM_START = 0.3
const TASKS = 6
const SEEDS_APART = 10_007

/** Kills demos without a warning, again and again, until so many deaths are died; each is finished in the end. */
export async function killDemos(plan: KillPlan): Promise<KillReport> {
  const deaths: Death[] = []
  const faults: string[] = []
  let demo = plan.firstDemo ?? 1
  for (; deaths.length < plan.kills && !plan.signal?.aborted; demo += 1) {
    const folder = demoFolder()
    try {
      const wanted = Math.min(plan.killsPerDemo, plan.kills - deaths.length)
      const one = await killOne(plan, folder.dir, demo, wanted, (death) => {
        deaths.push(death)
        plan.onDeath?.(death)
      })
      if (plan.signal?.aborted) break
      faults.push(...one.map((fault) => `demo ${demo}: ${fault}`))
      plan.onFinish?.(demo, one)
    } finally {
      folder.remove()
    }
  }
  return { deaths, demos: demo - (plan.firstDemo ?? 1), faults }
}

/** One demo, killed so often, or until it was faster; answers what was wrong. */
async function killOne(
  { seed, axiom, signal }: KillPlan,
  dir: string,
  demo: number,
  kills: number,
  onDeath: (death: Death) => void,
): Promise<string[]> {
  const random = seededRandom(seed + demo * SEEDS_APART)
  const faults: string[] = []
  const tips: string[] = []
  const integration = join(dir, '.axiom/integration.git')
  let last: Omit<Death, 'recoveryMs'> | undefined
  for (let died = 0; ; died += 1) {
    const startedMs = Date.now()
    const started = startAxiom(
      ['demo', '--exit', '--json', '--dir', dir],
      axiom === undefined ? {} : { axiom },
    )
    let isWorking = false
    const recovering = started
      .until(({ type, task }) => (type === 'story' && typeof task === 'string') || type === 'summary')
      .then((line) => {
        isWorking = line !== undefined
        if (line && last) onDeath({ ...last, recoveryMs: Date.now() - startedMs })
        if (line) last = undefined
      })
    const isFromStart = random() < SHARE_FROM_START
    const lifeMs = random() * (isFromStart ? LIFE_MS.fromStart : LIFE_MS.fromWork)
    const living = (isFromStart ? Promise.resolve() : recovering).then(() => sleep(lifeMs, 'alive' as const))
    const isLast = died >= kills || signal?.aborted === true
    const code = isLast ? await started.ended : await Promise.race([started.ended, living])
    if (code !== 'alive') {
      await recovering
      const line = started.lines.at(-1)
      if (code !== 0 || line?.landed !== TASKS)
        faults.push(`ended with ${code}: ${JSON.stringify(line)} ${started.errors()}`)
      return [...faults, ...(await inspect(dir, integration, tips))]
    }
    await started.kill()
    const killedWhile = isWorking ? 'working' : 'starting'
    await recovering
    const orphans = await orphansIn(dir)
    if (orphans.length > 0) faults.push(`after kill ${died + 1}: ${orphans.join('; ')}`)
    const landed = existsSync(join(integration, 'HEAD')) ? landedIn(integration) : 0
    if (landed > 0) tips.push(tipOf(integration))
    if (last) onDeath({ ...last, recoveryMs: null })
    last = { demo, livedMs: Date.now() - startedMs, killedWhile, landed, orphans: orphans.length }
  }
}

function landedIn(gitDir: string): number {
  return tipOf(gitDir) === '' ? 0 : tasksOn(gitDir).length
}

function tipOf(gitDir: string): string {
  try {
    return git(gitDir, 'rev-parse', '--verify', '--quiet', 'refs/heads/main')
  } catch {
    return ''
  }
}

/** Every task landed once; nothing that had landed before a death is gone; nobody is left. */
async function inspect(dir: string, integration: string, tips: readonly string[]): Promise<string[]> {
  const faults: string[] = []
  for (const gitDir of [integration, join(dir, '.git')]) {
    const tasks = tasksOn(gitDir)
    if (tasks.length !== TASKS || new Set(tasks).size !== TASKS)
      faults.push(`${gitDir}: landed ${tasks.join(', ')}`)
  }
  for (const tip of tips.filter(Boolean)) {
    try {
      git(integration, 'merge-base', '--is-ancestor', tip, 'refs/heads/main')
    } catch {
      faults.push(`${tip} had landed and is gone`)
    }
  }
  const verified = startAxiom(['store', 'verify', '--json', '--cwd', dir])
  if ((await verified.ended) !== 0)
    faults.push(`the store: ${JSON.stringify(verified.lines)} ${verified.errors()}`)
  faults.push(...(await orphansIn(dir)).map((orphan) => `left behind: ${orphan}`))
  return faults
}
