/** An orchestrator that begins its run at the first word on stdin, and may be killed at any time: `interrupted.ts ROOT`. */
import { once } from 'node:events'
import { openScene } from '../scene.ts'

const root = process.argv[2]
if (root === undefined) throw new Error('the root of a scene is needed')
const scene = await openScene({ root })
process.stdout.write('ready\n')
await once(process.stdin, 'data')
await scene.run()
process.stdout.write('done\n')
process.stdin.destroy()
await scene.store.close()
