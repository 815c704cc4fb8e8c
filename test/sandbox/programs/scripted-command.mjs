// A `command` agent that plays one scene of the driver contract: node scripted-command.mjs SCENE WORD
import { spawn } from 'node:child_process'

const [scene, word] = process.argv.slice(2)

switch (scene) {
  case 'completes':
    process.stdout.write('thinking…\nthe work is done\n')
    break
  case 'hangs':
    process.on('SIGTERM', () => {})
    process.on('SIGINT', () => {})
    spawn('sh', ['-c', 'while :; do sleep 1; done', word], { detached: true, stdio: 'ignore' }).unref()
    process.stdout.write('here I stay\n')
    setInterval(() => {}, 1_000)
    break
  case 'dies':
    process.stdout.write('ah', () => process.kill(process.pid, 'SIGKILL'))
    break
}
