/** An orchestrator at work, until somebody kills it: `doomed.ts ROOT`. */
import { openScene } from '../scene.ts'

const root = process.argv[2]
if (root === undefined) throw new Error('the root of a scene is needed')
const scene = await openScene({ root })
const shown = setInterval(() => {
  for (const { activity } of scene.rows.splice(0)) if (activity) process.stdout.write(`${activity}\n`)
}, 50)
await scene.run()
clearInterval(shown)
await scene.close()
