import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../crash/random.ts'
import { demoFolder, git, orphansIn, startAxiom, tasksOn } from './demo-process.ts'

export interface KillReport {
  readonly kills: number
  readonly demos: number
  /** From a restart to the first thing that happens to a task, in milliseconds, sorted. */
  readonly recoveryMs: readonly number[]
  /** What was wrong; nothing should be. */
  readonly faults: readonly string[]
}

/** Deaths fall while a demo begins, and while its agents are at work: so long after its start, or after the first word of a task. */
const LIFE_MS = { fromStart: 12_000, fromWork: 9_000 }
const SHARE_FROM_START = 0.3
const TASKS = 6

/** Kills demos without a warning, again and again, until so many deaths are died; each is finished in the end. */
export async function killDemos(
  kills: number,
  killsPerDemo: number,
  seed: number,
  tell: (words: string) => void = () => undefined,
): Promise<KillReport> {
  const random = seededRandom(seed)
  const recoveryMs: number[] = []
  const faults: string[] = []
  let died = 0
  let demos = 0
  while (died < kills) {
    demos += 1
    const folder = demoFolder()
    try {
      const wanted = Math.min(killsPerDemo, kills - died)
      const one = await killOne(folder.dir, wanted, random)
      died += one.kills
      recoveryMs.push(...one.recoveryMs)
      faults.push(...one.faults.map((fault) => `demo ${demos}: ${fault}`))
      tell(
        `demo ${demos}: ${died} deaths so far, recovered after ${one.recoveryMs.join(', ')} ms; ${one.faults.length} faults`,
      )
    } finally {
      folder.remove()
    }
  }
  return { kills: died, demos, recoveryMs: recoveryMs.toSorted((a, b) => a - b), faults }
}

async function killOne(dir: string, kills: number, random: () => number): Promise<Omit<KillReport, 'demos'>> {
  const recoveryMs: number[] = []
  const faults: string[] = []
  const tips: string[] = []
  const integration = join(dir, '.axiom/integration.git')
  for (let died = 0; ; died += 1) {
    const startedMs = Date.now()
    const demo = startAxiom(['demo', '--exit', '--json', '--dir', dir])
    const recovering = demo
      .until(({ type, task }) => (type === 'story' && typeof task === 'string') || type === 'summary')
      .then((line) => {
        if (line && died > 0) recoveryMs.push(Date.now() - startedMs)
      })
    const isFromStart = random() < SHARE_FROM_START
    const lifeMs = random() * (isFromStart ? LIFE_MS.fromStart : LIFE_MS.fromWork)
    const living = (isFromStart ? Promise.resolve() : recovering).then(() => sleep(lifeMs, 'alive' as const))
    const isLast = died >= kills
    const code = isLast ? await demo.ended : await Promise.race([demo.ended, living])
    if (code !== 'alive') {
      await recovering
      const last = demo.lines.at(-1)
      if (code !== 0 || last?.landed !== TASKS)
        faults.push(`ended with ${code}: ${JSON.stringify(last)} ${demo.errors()}`)
      faults.push(...(await inspect(dir, integration, tips)))
      return { kills: died, recoveryMs, faults }
    }
    await demo.kill()
    await recovering
    const orphans = await orphansIn(dir)
    if (orphans.length > 0) faults.push(`after kill ${died + 1}: ${orphans.join('; ')}`)
    if (existsSync(join(integration, 'HEAD'))) tips.push(tipOf(integration))
  }
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
