import { defineConfig } from 'vitest/config'
import suites from './test/suites.json' with { type: 'json' }

/** `unit` belongs to `npm run check`; the others are long and run one file at a time, by `npm test`. */
export default defineConfig({
  test: {
    projects: Object.entries(suites).map(([name, { include }]) => ({
      test: {
        name,
        include,
        testTimeout: name === 'unit' ? 20_000 : 600_000,
        hookTimeout: name === 'unit' ? 20_000 : 300_000,
        fileParallelism: name === 'unit',
      },
    })),
  },
})
