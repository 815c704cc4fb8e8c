import { spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  access,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  rmdir,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { signalProcess } from '../process/process-table.ts'
import { supervise } from '../process/supervise.ts'
import { CANARY_PROGRAM, type CanaryOrders } from './canary-program.ts'
import { confine } from './confine.ts'
import {
  DEFAULT_LIMITS,
  type Network,
  SANDBOX_LEVELS,
  type SandboxHost,
  type SandboxLevel,
} from './confinement.ts'
import { rootFolders } from './root-folders.ts'
import {
  chooseLevel,
  eachProbe,
  isSandbox,
  type LevelReport,
  type ProbeResult,
  type SandboxReport,
} from './sandbox-report.ts'

/** A script for Node that exits with 0 on `--version`; a file that is not JavaScript is only read. */
export interface TrialAgent {
  readonly program: string
  /** The folder of the agent's program, spelled as a run mounts it. */
  readonly folder: string
}

export interface ProbeOptions {
  /** `auto` tries from the tightest; a name tries that level alone. */
  readonly level?: SandboxLevel | 'auto'
  readonly network?: Network
  /** A program that must start there, as a run starts it. */
  readonly agent?: TrialAgent
  /** Also tries the levels below the first that holds. */
  readonly all?: boolean
}

const CANARY_MAX_MS = 10_000
const SURVIVOR_WAIT_MS = 1_000
const OUTPUT_BYTES_MAX = 64 * 1024
const STOP_GRACE_MS = 200

/**
 * Finds out by trial which level holds. An installed program proves nothing, and neither does the report of a
 * confined program: effects that are visible from outside are checked from outside.
 */
export async function probeSandbox(host: SandboxHost, options: ProbeOptions = {}): Promise<SandboxReport> {
  const network = options.network ?? { kind: 'host' }
  const wanted = options.level ?? 'auto'
  const levels = wanted === 'auto' ? SANDBOX_LEVELS : [wanted]
  const tried: LevelReport[] = []
  for (const level of levels) {
    const report = await tryLevel(level, host, network, options.agent)
    tried.push(report)
    if (isSandbox(report) && !options.all) break
  }
  return chooseLevel(tried, network.kind)
}

async function tryLevel(
  level: SandboxLevel,
  host: SandboxHost,
  network: Network,
  agent: TrialAgent | undefined,
): Promise<LevelReport> {
  // With a blank, since a user's path may contain one: a level that fails on blanks must fail here, too.
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'canary -')))
  try {
    return await new Canary(level, host, network, folder, agent).run()
  } catch (error) {
    const note = error instanceof Error ? error.message : String(error)
    return { level, works: false, note, probes: eachProbe('untried') }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

class Canary {
  readonly #level: SandboxLevel
  readonly #host: SandboxHost
  readonly #network: Network
  readonly #folder: string
  readonly #agent: TrialAgent | undefined
  readonly #secret = `canary-${randomUUID()}`
  /** A unique sleep duration, by which the orphan is found again in the process arguments. */
  readonly #seconds = `300.${randomInt(1_000_000, 9_999_999)}`

  constructor(
    level: SandboxLevel,
    host: SandboxHost,
    network: Network,
    folder: string,
    agent: TrialAgent | undefined,
  ) {
    this.#level = level
    this.#host = host
    this.#network = network
    this.#folder = folder
    this.#agent = agent
  }

  async run(): Promise<LevelReport> {
    const repository = join(this.#folder, 'repository')
    const workspace = join(repository, '.workspaces', 'canary')
    const objects = join(repository, '.state/integration.git/objects')
    for (const path of [workspace, objects]) await mkdir(path, { recursive: true })
    // Open to every user of the machine: the sandbox must refuse access, not the file permissions.
    await writeFile(join(repository, 'secret'), this.#secret)
    await chmod(this.#folder, 0o755)
    await chmod(repository, 0o777)
    const folders = rootFolders(await readFile('/proc/self/mountinfo', 'utf8').catch(() => ''))
    const name = `.canary-${randomUUID()}`
    const neighbour = spawn('sleep', ['60'], {
      env: { CANARY_SECRET: this.#secret, PATH: '/usr/bin:/bin' },
      stdio: 'ignore',
    })
    const server = createServer((socket) => socket.end())
    try {
      await Promise.all([once(neighbour, 'spawn'), once(server.listen(0, '127.0.0.1'), 'listening')])
      const address = server.address()
      const orders: CanaryOrders = {
        workspace,
        writable: join(repository, 'written'),
        readable: join(repository, 'secret'),
        word: this.#secret,
        port: typeof address === 'object' && address ? address.port : 0,
        seconds: this.#seconds,
        objects,
        folders,
        name,
        ...(this.#agent === undefined ? {} : { agent: this.#agent.program }),
      }
      const { output, errors } = await this.#start(repository, orders)
      return await this.#judge(output, errors, orders)
    } finally {
      neighbour.kill('SIGKILL')
      server.close()
      for (const pid of await this.#survivors()) signalProcess(pid, 'SIGKILL')
      for (const folder of folders) await rmdir(join(folder, name)).catch(() => undefined)
    }
  }

  /** With the mounts of a run: the project hidden, its objects and the product readable, the workspace writable. */
  async #start(repository: string, orders: CanaryOrders): Promise<{ output: string; errors: string }> {
    const request = await confine(
      { program: process.execPath, args: ['-e', CANARY_PROGRAM, JSON.stringify(orders)], environment: {} },
      {
        workspace: orders.workspace,
        home: join(repository, '.state/agents/canary/home'),
        temporary: join(repository, '.state/agents/canary/temporary'),
        masked: [repository, join(repository, '.state'), join(repository, '.workspaces')],
        readOnly: [orders.objects, ...(this.#agent === undefined ? [] : [this.#agent.folder])],
        readWrite: [],
        network: this.#network,
        limits: DEFAULT_LIMITS,
      },
      this.#level,
      this.#host,
    )
    const canary = await supervise(request)
    canary.stdin.end()
    const reading = Promise.all([readAll(canary.stdout), readAll(canary.stderr)])
    const timer = setTimeout(() => void canary.stop(STOP_GRACE_MS), CANARY_MAX_MS)
    await canary.ended
    clearTimeout(timer)
    const [output, errors] = await reading
    return { output, errors }
  }

  async #judge(output: string, errors: string, orders: CanaryOrders): Promise<LevelReport> {
    const said = parse(output)
    const trouble = troubleIn(said, errors, orders)
    if (said === undefined || trouble !== undefined) {
      const { agent } = said ?? {}
      return {
        level: this.#level,
        works: false,
        note: trouble ?? '',
        probes: eachProbe('untried'),
        ...(typeof agent === 'string' ? { agentError: lastWords(agent) } : {}),
      }
    }
    const probes = {
      'write-outside': result(await exists(orders.writable)),
      'write-root': result(await this.#wroteRoot(said.root, orders)),
      'read-secret': result(output.includes(this.#secret)),
      'read-environment': result(typeof said.environ !== 'number' || said.environ > 0),
      'reach-port': result(said.reached === true),
      outlive: said.forked === true ? result((await this.#survivorsAfterWait()) > 0) : 'untried',
      'be-root': result(said.shadow === true || said.uid === 0),
    } as const
    const open = Object.entries(probes).flatMap(([probe, state]) => (state === 'held' ? [] : [probe]))
    const note = open.length === 0 ? 'everything was refused' : `not refused: ${open.join(', ')}`
    return { level: this.#level, works: true, note, probes }
  }

  /**
   * Whether a folder was created outside, or could have been by another user: the kernel reports EROFS before
   * it checks permissions, so every other refusal comes from a place that is not closed.
   */
  async #wroteRoot(said: unknown, { folders, name }: CanaryOrders): Promise<boolean> {
    const made = await Promise.all(folders.map((folder) => exists(join(folder, name))))
    const answers = Object.values(typeof said === 'object' && said !== null ? said : {})
    return (
      made.includes(true) ||
      answers.length === 0 ||
      answers.some((answer) => !CLOSED_ANSWERS.has(String(answer)))
    )
  }

  async #survivorsAfterWait(): Promise<number> {
    for (let waited = 0; waited < SURVIVOR_WAIT_MS; waited += 50) {
      if ((await this.#survivors()).length === 0) return 0
      await sleep(50)
    }
    return (await this.#survivors()).length
  }

  async #survivors(): Promise<number[]> {
    const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
    const found = await Promise.all(
      names.map(async (name) => {
        const words = (await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')).split('\0')
        return words[0] === 'sleep' && words[1] === this.#seconds ? [Number(name)] : []
      }),
    )
    return found.flat()
  }
}

/** `made` but not visible outside is a private place. A mount may be on a file, or gone since. */
const CLOSED_ANSWERS = new Set(['EROFS', 'made', 'ENOTDIR', 'ENOENT'])

/** Why an agent could not work here, or undefined when it could. */
function troubleIn(
  said: Record<string, unknown> | undefined,
  errors: string,
  { agent }: CanaryOrders,
): string | undefined {
  if (said?.ran !== true)
    return `no program could be run: ${errors.trim().split('\n').at(-1) || 'it said nothing'}`
  if (said.worked !== true) return `a program could not work in its folder: ${JSON.stringify(said.worked)}`
  if (agent === undefined || said.agent === true) return undefined
  return `the agent could not be started: ${lastWords(String(said.agent))}`
}

/** The error line: Node prints it between a source excerpt and its own version. */
function lastWords(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.find(Boolean) ?? text
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

function result(happened: boolean): ProbeResult {
  return happened ? 'open' : 'held'
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes <= OUTPUT_BYTES_MAX) chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(output: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(output)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
