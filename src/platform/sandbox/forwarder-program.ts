/** The port of the proxy inside a sandbox: the network is private, so nothing else can use the port. */
export const PROXY_PORT = 3128

/**
 * Runs inside a sandbox without a network: forwards a local port to the proxy's socket, starts the program,
 * and exits as it exits. Plain JavaScript for `node -e`, so that no file of AXIOM's has to be visible inside.
 *
 * Arguments: the socket, the port, the program and its arguments.
 */
export const FORWARDER_PROGRAM = `
const net = require('node:net'), { spawn } = require('node:child_process')
const { argv, exit } = process
const [socket, port, program, ...args] = argv.slice(1)
net.createServer((client) => {
  const proxy = net.connect(socket)
  client.on('error', () => proxy.destroy())
  proxy.on('error', () => client.destroy())
  client.pipe(proxy).pipe(client)
}).listen(Number(port), '127.0.0.1', () => {
  const child = spawn(program, args, { stdio: 'inherit' })
  child.on('error', (error) => { require('node:fs').writeSync(2, error.message + '\\n'); exit(127) })
  child.on('exit', (code, signal) => exit(code ?? 128 + require('node:os').constants.signals[signal]))
})
for (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => {})
`
