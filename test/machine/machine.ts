import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readBaseSystem } from './base-system.ts'
import { machineScript } from './machine-script.ts'
import { readNetworkSettings } from './network-settings.ts'
import { fetchNode, type NodeVersion } from './node-versions.ts'

/** How a machine differs from another; each part is one dimension of the matrix. */
export interface Machine {
  /**
   * `bubblewrap`: installed. `unshare`: the base system alone. `refused`: both installed, and the kernel makes no
   * namespaces. `missing`: neither program is there.
   */
  readonly wall: 'bubblewrap' | 'unshare' | 'refused' | 'missing'
  readonly user: 'root' | 'plain'
  readonly node: NodeVersion
  /** Language and time zone. */
  readonly place: 'plain' | 'chatham'
  readonly openFiles: 'usual' | 'few'
}

export interface MachineCall {
  readonly machine: Machine
  /** Run by `sh` as the user of the machine, in an empty HOME. */
  readonly script: string
  readonly timeoutMs: number
  /** A folder of this machine that outlives the other; seen inside as `/media/kept`, writable. */
  readonly kept?: string
  /** Name inside `/media/handed` → path of a file of this machine. */
  readonly handed?: Readonly<Record<string, string>>
  onOutput?(text: string): void
}

export interface MachineEnd {
  /** null when it was stopped because its time was over. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly seconds: number
}

const PLAIN_UID = 1_000
/** What a wall or a limit is made of on Linux, and what no other system has. */
const LINUX_TOOLS = ['/usr/bin/unshare', '/usr/bin/setpriv', '/usr/bin/prlimit']
const OPEN_FILES_FEW = 256
const OUTPUT_CHARACTERS_MAX = 4_000_000

const PLACES = {
  plain: { LANG: 'C', TZ: 'UTC' },
  chatham: { LANG: 'de_DE.UTF-8', TZ: 'Pacific/Chatham' },
} as const

/** Makes a machine, runs the script in it, and leaves nothing of it: its storage goes with its last process. */
export async function runInMachine(call: MachineCall): Promise<MachineEnd> {
  assert(process.getuid?.() === 0, 'only root can make a fresh machine out of this one')
  const { machine } = call
  const folder = mkdtempSync(join(tmpdir(), `axiom-machine-${process.pid}-`))
  const place = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  try {
    for (const name of ['root', 'handed']) mkdirSync(join(folder, name), { mode: 0o755 })
    writeFileSync(join(folder, 'handed/script'), call.script)
    for (const [name, path] of Object.entries(call.handed ?? {}))
      execFileSync('cp', ['--', path, join(folder, 'handed', name)])
    const has = machine.wall === 'bubblewrap' || machine.wall === 'refused'
    const base = readBaseSystem(has ? ['bubblewrap'] : [])
    const absent = [...base.absent, ...(machine.wall === 'missing' ? LINUX_TOOLS : [])]
    const network = readNetworkSettings()
    const uid = machine.user === 'root' ? 0 : PLAIN_UID
    const home = uid === 0 ? '/root' : '/home/newcomer'
    const nodePlace = nodePlaceOf(machine.node, home)
    const script = machineScript({
      folder: join(folder, 'root'),
      absent: place('absent', absent.map((path) => `.${path}\0`).join('')),
      packageStatus: place('status', base.packageStatus),
      nodeFolder: fetchNode(machine.node),
      nodePlace,
      home,
      handed: join(folder, 'handed'),
      certificates: network.certificates,
      kept: call.kept,
      uid,
      namespacesRefused: machine.wall === 'refused',
      openFilesMax: machine.openFiles === 'few' ? OPEN_FILES_FEW : undefined,
      environment: {
        ...network.environment,
        ...PLACES[machine.place],
        HOME: home,
        USER: uid === 0 ? 'root' : 'newcomer',
        PATH: [
          ...new Set([
            `${nodePlace}/bin`,
            '/usr/local/bin',
            '/usr/bin',
            '/bin',
            ...(uid === 0 ? ['/usr/sbin', '/sbin'] : []),
          ]),
        ].join(':'),
        SHELL: '/bin/sh',
        TERM: 'dumb',
      },
      command: ['sh', '/media/handed/script'],
    })
    return await run(place('script', script), call)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The newest Node lies where a version manager puts it, the others where the archive of Node is unpacked by root. */
function nodePlaceOf(version: NodeVersion, home: string): string {
  return version === '24' ? `${home}/.nvm/versions/node/v24` : '/usr/local'
}

function run(script: string, { timeoutMs, onOutput }: MachineCall): Promise<MachineEnd> {
  const begunMs = Date.now()
  const namespaces = ['--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child=SIGKILL']
  // A machine ends with whoever made it, also when that one is killed.
  const child = spawn('setpriv', ['--pdeathsig=KILL', '--', 'unshare', ...namespaces, '--', 'sh', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] = (said[name] + text).slice(-OUTPUT_CHARACTERS_MAX)
      onOutput?.(text)
    })
  return new Promise((settle, fail) => {
    child.once('error', fail)
    child.once('close', (code) => settle({ code, ...said, seconds: (Date.now() - begunMs) / 1_000 }))
  })
}
