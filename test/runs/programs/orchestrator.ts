/** A director that begins its work at the first word on stdin, and may be killed at any time: `orchestrator.ts ROOT`. */
import { once } from 'node:events'
import { Theatre } from '../../delivery/theatre.ts'

const root = process.argv[2]
if (root === undefined) throw new Error('the root of a scene is needed')
const scene = Theatre.reopen(root)
{
  await using seated = await scene.open()
  process.stdout.write('ready\n')
  await once(process.stdin, 'data')
  await seated.director.run()
  process.stdout.write('done\n')
}
process.stdin.destroy()
await scene.leave()
