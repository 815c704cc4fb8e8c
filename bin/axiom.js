#!/usr/bin/env node
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

// A fresh checkout has no dist/ yet; an installed package always has.
if (!existsSync(join(root, 'dist/cli/main.js'))) {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/prepare.mjs')], {
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) process.exit(4)
}

const { main } = await import('../dist/cli/main.js')
await main(process.argv.slice(2))
