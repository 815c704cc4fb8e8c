import { ProcessLedger } from '../../../src/health/process-ledger.ts'
import { supervise } from '../../../src/platform/process/supervise.ts'

/** Starts a tree that outlives its leader's group, writes it down, says so, and then lives until it is killed. */
const [folder = '', line = ''] = process.argv.slice(2)
const ledger = await ProcessLedger.open(folder, process.pid)
const running = await supervise({
  program: 'sh',
  args: ['-c', line],
  cwd: folder,
  environment: { PATH: process.env.PATH ?? '' },
  containment: 'group',
  wrapperDepth: 0,
})
await new Promise((resolve) => setTimeout(resolve, 50))
await ledger.note('echo-007', running.record)
process.stdout.write(`${JSON.stringify(running.record)}\n`)
setInterval(() => undefined, 60_000)
