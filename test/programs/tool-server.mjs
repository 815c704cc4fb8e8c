// A tool server in the smallest form that agent programs accept: one tool, which notes what it was called with.
// Arguments: the file to note it in.
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const file = process.argv[2]
const TOOL = {
  name: 'signal',
  description: 'Tells the orchestrator how the work stands.',
  inputSchema: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
}

function resultFor({ method, params }) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params?.protocolVersion ?? '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'notes', version: '1.0.0' },
      }
    case 'tools/list':
      return { tools: [TOOL] }
    case 'tools/call':
      appendFileSync(file, `${JSON.stringify({ ...params.arguments, agent: process.env.NOTES_AGENT })}\n`)
      return { content: [{ type: 'text', text: 'noted' }] }
    case 'ping':
      return {}
    default:
      return undefined
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line)
  if (message.id === undefined) return
  const result = resultFor(message)
  const answer = result === undefined ? { error: { code: -32601, message: 'unknown method' } } : { result }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer })}\n`)
})
