import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import suites from './test/suites.json' with { type: 'json' }

/** A suite may have something to say when all its tests are done. */
function closingWords(name: string): string[] {
  const path = resolve(import.meta.dirname, 'test', name, 'closing-words.ts')
  return existsSync(path) ? [path] : []
}

/** `unit` belongs to `npm run check`; the others are long and run one file at a time, by `npm test`. */
export default defineConfig({
  test: {
    maxWorkers: '100%',
    projects: Object.entries(suites).map(([name, { include }]) => ({
      test: {
        name,
        include,
        globalSetup: closingWords(name),
        // For what hangs, not for what is slow: a machine may be busy with other things.
        testTimeout: name === 'unit' ? 120_000 : 600_000,
        hookTimeout: name === 'unit' ? 120_000 : 300_000,
        // Simulated time runs as fast as a core can, so its seeds are divided among the cores.
        fileParallelism: name === 'unit' || name === 'simulation',
        // Unit tests share no state and start no program, so a fresh process for each file would only cost time.
        isolate: name !== 'unit',
      },
    })),
  },
})
