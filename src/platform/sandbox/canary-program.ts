/**
 * The program that the canary runs inside a sandbox: it really tries each thing and prints what it got as one JSON
 * line. Plain JavaScript for `node -e`, because nothing of ours need be visible inside.
 *
 * Arguments: a file to write, a file to read, a word to look for in environments, a port, the seconds that a
 * process which left its parents would sleep.
 */
export const CANARY_PROGRAM = `
const fs = require('node:fs'), net = require('node:net'), { spawn } = require('node:child_process')
const { argv, execPath, exit, getuid, stdout } = process
const [writable, readable, word, port, seconds] = argv.slice(1)
const attempt = (act) => { try { return act() } catch (error) { return { error: String(error.code) } } }
const report = { ran: true, uid: getuid() }
report.wrote = attempt(() => { fs.writeFileSync(writable, 'written by the canary'); return true })
report.read = attempt(() => fs.readFileSync(readable, 'utf8'))
report.shadow = attempt(() => fs.readFileSync('/etc/shadow').length > 0)
report.environ = attempt(() => fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).filter((pid) =>
  attempt(() => fs.readFileSync('/proc/' + pid + '/environ').includes(word)) === true).length)
const orphan = 'const { argv } = process; const { spawn } = require("node:child_process");' +
  'spawn("sleep", [argv[1]], { detached: true, stdio: "ignore", cwd: "/", env: {} }).unref()'
const parent = spawn(execPath, ['-e', orphan, seconds], { detached: true, stdio: 'ignore', env: {}, cwd: '/' })
parent.on('exit', () => {
  report.forked = true
  const socket = net.connect({ host: '127.0.0.1', port: Number(port) })
  const finish = (reached) => { report.reached = reached; stdout.write(JSON.stringify(report) + '\\n', () => exit(0)) }
  socket.on('connect', () => finish(true))
  socket.on('error', () => finish(false))
  socket.setTimeout(1000, () => finish(false))
})
`
