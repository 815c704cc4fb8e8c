// For one test file of a scratch copy, whatever suite it belongs to.
export default {
  test: {
    root: process.cwd(),
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
}
