// A developer that changes and commits files all the time until its gate is open: `restless-agent.mjs GATES`.
// It can be killed at any moment; SIGUSR2 makes it give up with exit code 1.
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const { AXIOM_AGENT: agent, AXIOM_ITERATION: iteration, AXIOM_TASK_ID: task } = process.env
const COMMIT_EVERY = 4
process.on('SIGUSR2', () => process.exit(1))
const commit = (what) => execFileSync('sh', ['-c', `git add -A && git commit -qm "feat: ${what}"`])
for (let n = 0; !existsSync(join(process.argv[2], task)); n += 1) {
  writeFileSync(`${task}-loose.txt`, `${agent} in iteration ${iteration}, change ${n}\n`)
  writeFileSync(`${task}-new-${agent}-${n % COMMIT_EVERY}.txt`, `${agent} ${iteration} ${n}\n`)
  if (n % COMMIT_EVERY === COMMIT_EVERY - 1) commit(`part ${n}`)
  await sleep(20)
}
writeFileSync(`${task}.txt`, 'done\n')
commit('the rest')
process.stdout.write('<axiom>COMPLETE</axiom>\n')
