/**
 * The program that the canary runs inside a sandbox: it works in its folder as an agent does, then tries each
 * forbidden action, and prints the results as one JSON line. Plain JavaScript for `node -e`.
 *
 * Its one argument is JSON of the type `CanaryOrders`.
 */
export const CANARY_PROGRAM = `
const fs = require('node:fs'), net = require('node:net'), path = require('node:path')
const { spawn, spawnSync } = require('node:child_process')
const { argv, execPath, exit, getuid, stdout } = process
const { workspace, writable, readable, word, port, seconds, objects, agent, folders, name } = JSON.parse(argv[1])
const attempt = (act) => { try { return act() } catch (error) { return { error: String(error.code) } } }
const report = { ran: true, uid: getuid() }
report.worked = attempt(() => { fs.writeFileSync(path.join(workspace, 'work'), ''); fs.readdirSync(objects); return true })
if (agent) {
  const { status, stderr, error } = spawnSync(execPath, agent.endsWith('.js') ? [agent, '--version'] : ['-e', 'const { argv } = process; fs.readFileSync(argv[1])', agent])
  report.agent = status === 0 ? true : String(error ? error.message : stderr).slice(-500) || 'exit code ' + status
}
report.wrote = attempt(() => { fs.writeFileSync(writable, 'written by the canary'); return true })
report.read = attempt(() => fs.readFileSync(readable, 'utf8'))
report.shadow = attempt(() => fs.readFileSync('/etc/shadow').length > 0)
report.environ = attempt(() => fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).filter((pid) =>
  attempt(() => fs.readFileSync('/proc/' + pid + '/environ').includes(word)) === true).length)
report.root = {}
for (const folder of folders) {
  if (attempt(() => fs.accessSync(folder, fs.constants.X_OK)) !== undefined) continue
  const made = attempt(() => { fs.mkdirSync(path.join(folder, name)); return 'made' })
  report.root[folder] = made.error ?? made
  if (made === 'made') break
}
const orphan = 'const { argv } = process; const { spawn } = require("node:child_process");' +
  'spawn("sleep", [argv[1]], { detached: true, stdio: "ignore", cwd: "/", env: {} }).unref()'
const parent = spawn(execPath, ['-e', orphan, seconds], { detached: true, stdio: 'ignore', env: {}, cwd: '/' })
parent.on('exit', () => {
  report.forked = true
  const socket = net.connect({ host: '127.0.0.1', port })
  const finish = (reached) => { report.reached = reached; stdout.write(JSON.stringify(report) + '\\n', () => exit(0)) }
  socket.on('connect', () => finish(true))
  socket.on('error', () => finish(false))
  socket.setTimeout(1000, () => finish(false))
})
`

export interface CanaryOrders {
  readonly workspace: string
  /** A file to write and a file to read, both hidden from it. */
  readonly writable: string
  readonly readable: string
  /** The text to search for in environments. */
  readonly word: string
  readonly port: number
  /** How long the detached process sleeps. */
  readonly seconds: string
  /** A folder of the hidden repository that is opened for reading, as a run opens the objects of its clone. */
  readonly objects: string
  /** The script of an agent, to be started; where it is not JavaScript, to be read. */
  readonly agent?: string
  /** Places in which the program tries to create a folder of this name, until one attempt succeeds. */
  readonly folders: readonly string[]
  readonly name: string
}
