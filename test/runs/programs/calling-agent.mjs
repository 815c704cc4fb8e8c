#!/usr/bin/env node
// An agent in claude's dialect that asks a model's service once, and works only when it is answered.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

const session = process.argv[process.argv.indexOf('--session-id') + 1]
const print = (event) => process.stdout.write(`${JSON.stringify({ session_id: session, ...event })}\n`)
const result = (changes) => {
  const usage = { input_tokens: 1, output_tokens: 1 }
  print({ type: 'result', subtype: 'success', usage, total_cost_usd: 0, permission_denials: [], ...changes })
}

print({ type: 'system', subtype: 'init', model: 'scripted' })
const answer = await fetch(`${process.env.ANTHROPIC_BASE_URL}/v1/messages`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }], tools: [{ name: 'Bash' }] }),
}).catch(() => ({ ok: false, status: 529 }))
if (answer.ok) {
  writeFileSync('work.txt', 'done\n')
  execFileSync('sh', ['-c', 'git add -A && git commit -qm "feat: work"'])
  const text = '<axiom>COMPLETE</axiom>'
  print({ type: 'assistant', message: { id: 'msg-1', content: [{ type: 'text', text }] } })
  result({ is_error: false, result: text })
} else {
  const text = `API Error: ${answer.status} the service does not answer`
  result({ is_error: true, terminal_reason: 'api_error', api_error_status: answer.status, result: text })
}
process.exit(answer.ok ? 0 : 1)
