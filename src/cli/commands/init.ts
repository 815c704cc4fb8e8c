import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { openStore } from '../../store/open-store.ts'
import { type Context, print } from '../context.ts'

/** What is made anew on every machine and does not belong into a repository. */
const VOLATILE = [
  '/blobs/',
  '/lock/',
  '/logs/',
  '/metrics/',
  '/leases.json',
  '/integration.git/',
  '/agents/*/logs/',
  '/cases.jsonl.*',
]

export function define(command: Command, context: () => Context): void {
  command.option('--yes', 'take every default').action(() => init(context()))
}

async function init(context: Context): Promise<void> {
  const folder = join(context.cwd, '.axiom')
  const returning = existsSync(folder)
  mkdirSync(folder, { recursive: true })
  const ignore = join(folder, '.gitignore')
  if (!existsSync(ignore)) writeFileSync(ignore, `${VOLATILE.join('\n')}\n`)
  const store = await openStore({ folder, purpose: 'axiom init' })
  await store.close()
  print(context, { folder, returning }, () => `${returning ? 'Already here' : 'Made'}: ${folder}`)
}
