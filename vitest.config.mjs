import { defineConfig } from 'vitest/config'
import LongFirst from './scripts/testing/long-first.mjs'
import { patternsOf, projectName } from './scripts/testing/suites.mjs'
import suites from './test/suites.json' with { type: 'json' }

/** `unit` belongs to `npm run check`; the others are run by `npm test` and, in their deep tier, `npm run test:deep`. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: Object.entries(suites).flatMap(([suite, description]) =>
      ['first', 'deep'].map((tier) => ({
        test: {
          name: projectName(suite, tier),
          ...patternsOf(description, tier),
          // Unit tests need nothing built.
          globalSetup: suite === 'unit' ? [] : ['test/global-setup.ts'],
          // For what hangs, not for what is slow: a machine may be busy with other things.
          testTimeout: suite === 'unit' ? 120_000 : 600_000,
          hookTimeout: suite === 'unit' ? 120_000 : 300_000,
          // Unit tests share no state and start no program, so a fresh process for each file would only cost time.
          isolate: suite !== 'unit',
        },
      })),
    ),
  },
})
