// A developer that hears nothing while it works: it ends an iteration when a file named after it appears.
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const iteration = Number(process.env.AXIOM_ITERATION)
writeFileSync(`begun-${iteration}.log`, '')
while (iteration < 3 && !existsSync(`go-${iteration}.log`)) await sleep(20)
if (iteration === 1) process.stdout.write('First.\n')
if (iteration === 2) process.stdout.write('<axiom>BLOCKED:no colour</axiom>\n')
if (iteration === 3) {
  writeFileSync('greeting.txt', 'hello\n')
  execFileSync('sh', ['-c', 'git add -A && git commit -qm "feat: greet"'])
  process.stdout.write('<axiom>COMPLETE</axiom>\n')
}
