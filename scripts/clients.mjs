// `npm run test:clients [claude|codex|gemini|opencode|all]`: the real agent programs against a scripted
// model. With --install it only downloads the programs into the cache, the one step that needs a network.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CLIENT_PACKAGES } from '../test/clients/client-packages.ts'
import { installClient } from '../test/clients/install-client.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const words = process.argv.slice(2)
const names = CLIENT_PACKAGES.map(({ name }) => name)
const named = words.filter((word) => !word.startsWith('--'))
const unknown = named.filter((word) => word !== 'all' && !names.includes(word))
if (unknown.length > 0) {
  console.error(`No client is named ${unknown.join(', ')}; there are ${names.join(', ')} and all.`)
  process.exit(2)
}
const wanted = named.includes('all') ? names : named.length > 0 ? named : ['claude']

for (const name of wanted) {
  try {
    const { version, folder } = installClient(name)
    console.log(`${name} ${version} in ${folder}`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(4)
  }
}
if (!words.includes('--install')) {
  const suites = wanted.map((name) => `clients-${name}`)
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/test.mjs'), '--deep', ...suites], {
    cwd: root,
    stdio: 'inherit',
  })
  process.exit(status ?? 1)
}
