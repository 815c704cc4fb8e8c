#!/usr/bin/env node
// Speaks claude's stream dialect and plays the scene that the prompt names: "scene WORD".
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { createInterface } from 'node:readline'

const flag = (name) => process.argv[process.argv.indexOf(name) + 1]
const resumed = process.argv.includes('--resume')
const session = resumed ? flag('--resume') : flag('--session-id')
const memory = `${homedir()}/${session}.json`
let cost = resumed && existsSync(memory) ? JSON.parse(readFileSync(memory, 'utf8')).cost : 0
let messages = 0

const print = (event) => process.stdout.write(`${JSON.stringify({ session_id: session, ...event })}\n`)
const say = (text) => {
  messages += 1
  print({ type: 'assistant', message: { id: `msg-${messages}`, content: [{ type: 'text', text }] } })
}
const result = (changes = {}) => {
  cost += 0.01
  writeFileSync(memory, JSON.stringify({ cost }))
  const usage = { input_tokens: 10, output_tokens: 5 }
  const rest = { is_error: false, usage, total_cost_usd: cost, permission_denials: [], ...changes }
  print({ type: 'result', subtype: 'success', ...rest })
}

const scenes = {
  completes() {
    say('I begin')
    say('the work is done')
    result()
  },
  'uses-tool'() {
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'true' } }
    print({ type: 'control_request', request_id: 'ask-1', request })
  },
  hangs(word) {
    process.on('SIGTERM', () => {})
    process.on('SIGINT', () => {})
    spawn('sh', ['-c', 'while :; do sleep 1; done', word], { detached: true, stdio: 'ignore' }).unref()
    say('here I stay')
    setInterval(() => {}, 1_000)
  },
  listens() {
    say('and?')
  },
  remembers() {
    say(resumed ? 'you said 41' : 'the number is 41')
    result()
  },
  'rate-limited'() {
    print({
      type: 'system',
      subtype: 'api_retry',
      attempt: 1,
      max_retries: 1,
      retry_delay_ms: 5,
      error_status: 429,
    })
    result({
      is_error: true,
      terminal_reason: 'api_error',
      api_error_status: 429,
      result: 'limit reached|1900000000',
    })
    process.exitCode = 1
  },
  dies() {
    say('ah')
    process.stdout.write('', () => process.kill(process.pid, 'SIGKILL'))
  },
}

print({ type: 'system', subtype: 'init', model: 'scripted' })
print({ type: 'system', subtype: 'something_new' })
print({ type: 'never_heard_of' })
let turns = 0
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const message = JSON.parse(line)
    if (message.type === 'user') {
      const text = message.message.content[0].text
      turns += 1
      if (turns === 1) {
        const [scene, word] = text.split(' ')
        scenes[scene](word)
      } else {
        say(`heard: ${text}`)
        result()
      }
    } else if (message.type === 'control_response') {
      const { behavior } = message.response.response
      const tool_use = { type: 'tool_use', id: 'call-1', name: 'Bash', input: { command: 'true' } }
      print({ type: 'assistant', message: { id: 'msg-tool', content: [tool_use] } })
      const tool_result = {
        type: 'tool_result',
        tool_use_id: 'call-1',
        content: behavior,
        is_error: behavior !== 'allow',
      }
      print({ type: 'user', message: { role: 'user', content: [tool_result] } })
      say('used')
      result()
    } else if (message.type === 'control_request') {
      print({ type: 'control_response', response: { subtype: 'success', request_id: message.request_id } })
      const aborted = {
        is_error: true,
        subtype: 'error_during_execution',
        terminal_reason: 'aborted_streaming',
      }
      result(aborted)
    }
  })
  .on('close', () => process.exit())
