#!/usr/bin/env node
// An agent of the Agent Client Protocol that plays the scene its prompt names: "scene WORD".
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

let loaded = false
let asked = 0
const waiting = new Map()
const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const update = (sessionUpdate, rest) =>
  write({ method: 'session/update', params: { sessionId: 's-1', update: { sessionUpdate, ...rest } } })
const say = (text) => update('agent_message_chunk', { content: { type: 'text', text } })
const ask = (method, params) =>
  new Promise((resolve) => {
    asked += 1
    waiting.set(`ask-${asked}`, resolve)
    write({ id: `ask-${asked}`, method, params })
  })
let cancel = () => {}

const scenes = {
  async completes() {
    say('the work ')
    say('is done')
    return 'end_turn'
  },
  async 'uses-tool'() {
    const toolCall = { toolCallId: 'call-1', title: 'Bash', kind: 'execute', rawInput: { command: 'true' } }
    const options = [
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ]
    const { outcome } = await ask('session/request_permission', { sessionId: 's-1', toolCall, options })
    const content = [{ type: 'content', content: { type: 'text', text: outcome.optionId } }]
    update('tool_call_update', { toolCallId: 'call-1', title: 'Bash', status: 'completed', content })
    update('news_from_the_future', { hello: 'there' })
    return 'end_turn'
  },
  hangs(word) {
    process.on('SIGTERM', () => {})
    spawn('sh', ['-c', 'while :; do sleep 1; done', word], { detached: true, stdio: 'ignore' }).unref()
    say('here I stay')
    return new Promise((resolve) => {
      cancel = () => resolve('cancelled')
    })
  },
  async listens() {
    say('and?')
    return 'end_turn'
  },
  async remembers() {
    update('usage_update', { used: 1, size: 2, cost: { amount: loaded ? 0.02 : 0.01, currency: 'USD' } })
    say(loaded ? 'you said 41' : 'the number is 41')
    return 'end_turn'
  },
  async 'rate-limited'() {
    throw new Error('429 rate limit')
  },
  dies() {
    process.kill(process.pid, 'SIGKILL')
  },
}

const methods = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }),
  'session/new': () => ({ sessionId: 's-1' }),
  'session/load': () => {
    loaded = true
    say('this was said before')
    return {}
  },
  'session/prompt': async ({ prompt }) => {
    const text = prompt[0].text.split('\n').at(-1)
    const [scene, word] = text.split(' ')
    if (!(scene in scenes)) {
      say(`heard: ${text}`)
      return { stopReason: 'end_turn' }
    }
    return {
      stopReason: await scenes[scene](word),
      usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
    }
  },
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params, result } = JSON.parse(line)
  if (method === undefined) waiting.get(id)?.(result)
  else if (method === 'session/cancel') cancel()
  else {
    try {
      write({ id, result: await methods[method](params) })
    } catch (error) {
      write({ id, error: { code: -32603, message: 'Internal error', data: { details: error.message } } })
    }
  }
})
