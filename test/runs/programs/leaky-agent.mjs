// A developer that writes down what it is told, and lets secrets slip: in speech, in a file, before it dies.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const [folder, slip] = process.argv.slice(2)
const secrets = JSON.parse(readFileSync(slip, 'utf8'))
const { AXIOM_AGENT: agent, AXIOM_ITERATION: iteration, AXIOM_SYSTEM_PROMPT: rules } = process.env
const told = readFileSync(0, 'utf8')
writeFileSync(`${folder}/${agent}-${iteration}.txt`, `${rules ? readFileSync(rules, 'utf8') : ''}\n${told}`)
const commit = (file, text) => {
  writeFileSync(file, text)
  execFileSync('sh', ['-c', `git add -A && git commit -qm "feat: ${file}"`])
}
if (agent === 'echo-001' && iteration === '1') {
  commit('token.txt', secrets.check)
  process.stdout.write(`I found ${secrets.speech}.\n\n<axiom>COMPLETE</axiom>\n`)
} else if (agent === 'echo-001') {
  process.stdout.write(`Before I go: ${secrets.lost}\n`, () => process.kill(process.pid, 'SIGKILL'))
} else {
  commit('greeting.txt', 'hello\n')
  process.stdout.write('<axiom>COMPLETE</axiom>\n')
}
