import { homedir } from 'node:os'
import { probeSandbox } from '../../src/platform/sandbox/probe-sandbox.ts'

/** The last lines of the suite: what this machine has, and what could therefore not be tested. */
export async function teardown(): Promise<void> {
  const { tried } = await probeSandbox({ environment: process.env, home: homedir() }, { all: true })
  const lines = tried.map(
    ({ level, works, note }) => `${level}: ${works ? note : `does not work (${note.trim()})`}`,
  )
  process.stdout.write(`\nsandbox levels of this machine:\n  ${lines.join('\n  ')}\n`)
  if (tried.some(({ level, works }) => level === 'bwrap' && !works))
    process.stdout.write('bubblewrap does not work here: only the levels below it were tested\n')
}
