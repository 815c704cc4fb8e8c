#!/usr/bin/env node
// Speaks the dialect of `codex exec --json` and plays the scene that the prompt names: "scene WORD".
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

const resumed = process.argv[3] === 'resume'
const [scene, word] = readFileSync(0, 'utf8').split(' ')
const print = (event) => process.stdout.write(`${JSON.stringify(event)}\n`)
const say = (text) =>
  print({ type: 'item.completed', item: { id: `item-${text.length}`, type: 'agent_message', text } })
const done = () => {
  const total = resumed ? 2_000 : 1_000
  print({
    type: 'turn.completed',
    usage: { input_tokens: total, cached_input_tokens: 10, output_tokens: 50 },
  })
}

print({ type: 'thread.started', thread_id: 'thread-1' })
print({ type: 'turn.started' })
print({ type: 'item.completed', item: { id: 'e', type: 'error', message: 'Model metadata not found' } })
switch (scene) {
  case 'completes':
    say('the work is done')
    done()
    break
  case 'uses-tool': {
    const item = { id: 'call-1', type: 'command_execution', command: 'true' }
    print({ type: 'item.started', item: { ...item, status: 'in_progress' } })
    print({
      type: 'item.completed',
      item: { ...item, aggregated_output: 'x', exit_code: 0, status: 'completed' },
    })
    done()
    break
  }
  case 'hangs':
    process.on('SIGTERM', () => {})
    process.on('SIGINT', () => {})
    spawn('sh', ['-c', 'while :; do sleep 1; done', word], { detached: true, stdio: 'ignore' }).unref()
    setInterval(() => {}, 1_000)
    break
  case 'remembers':
    say(resumed ? 'you said 41' : 'the number is 41')
    done()
    break
  case 'rate-limited':
    print({ type: 'turn.failed', error: { message: "We're currently experiencing high demand" } })
    process.exitCode = 1
    break
  case 'dies':
    process.kill(process.pid, 'SIGKILL')
    break
}
