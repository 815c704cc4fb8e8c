import { isIgnoringSigterm } from './faults/die.ts'
import { runAgent } from './run-agent.ts'
import { killRunning } from './steps/run.ts'

const SIGTERM_EXIT_CODE = 143

process.on('SIGTERM', () => {
  if (isIgnoringSigterm()) return
  killRunning()
  process.exit(SIGTERM_EXIT_CODE)
})
process.stdout.on('error', () => process.exit(1))

const flush = (): Promise<void> =>
  new Promise((resolve) => {
    process.stdout.write('', () => resolve())
  })

const exitCode = await runAgent({
  argv: process.argv.slice(2),
  environment: process.env,
  workspace: process.cwd(),
  input: process.stdin,
  write: (text) => process.stdout.write(text),
  flush,
  complain: (text) => process.stderr.write(text),
  onInterrupt: (interrupt) => process.on('SIGINT', interrupt),
})
killRunning()
await flush()
process.exit(exitCode)
