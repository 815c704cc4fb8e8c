import { describe, expect, it } from 'vitest'
import { countJUnit, countTests, stripEscapes } from './count-tests.ts'

const cases: [string, string, [string, number, number, number] | undefined][] = [
  [
    'vitest',
    ' Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 23 passed | 2 skipped (26)\n',
    ['vitest', 23, 1, 2],
  ],
  [
    'vitest, all green and coloured',
    '\x1b[2m      Tests \x1b[22m \x1b[1m\x1b[32m18 passed\x1b[39m\x1b[22m\x1b[90m (18)\x1b[39m\n',
    ['vitest', 18, 0, 0],
  ],
  ['vitest without files', 'No test files found, exiting with code 0\n', ['vitest', 0, 0, 0]],
  [
    'jest',
    'Test Suites: 1 failed, 1 total\nTests:       1 failed, 1 skipped, 4 passed, 6 total\n',
    ['jest', 4, 1, 1],
  ],
  ['jest without tests', 'No tests found, exiting with code 0\n', ['jest', 0, 0, 0]],
  [
    'node:test as TAP',
    'TAP version 13\nok 1 - a\nnot ok 2 - c\n1..2\n# tests 3\n# suites 0\n# pass 1\n# fail 1\n# cancelled 0\n# skipped 1\n# todo 0\n',
    ['node:test', 1, 1, 1],
  ],
  [
    'node:test for people',
    '✔ a (1ms)\nℹ tests 2\nℹ suites 0\nℹ pass 2\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\n',
    ['node:test', 2, 0, 0],
  ],
  [
    'node:test without tests',
    'TAP version 13\n1..0\n# tests 0\n# suites 0\n# pass 0\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n',
    ['node:test', 0, 0, 0],
  ],
  ['mocha', '  math\n    ✔ adds\n\n  5 passing (10ms)\n  1 pending\n  2 failing\n', ['mocha', 5, 2, 1]],
  ['mocha without tests', '\n  0 passing (1ms)\n', ['mocha', 0, 0, 0]],
  ['pytest', '===== 1 failed, 3 passed, 1 skipped in 0.12s =====\n', ['pytest', 3, 1, 1]],
  ['pytest -q', '3 passed in 0.01s\n', ['pytest', 3, 0, 0]],
  ['pytest with an error in collection', '===== 1 error in 0.05s =====\n', ['pytest', 0, 1, 0]],
  ['pytest without tests', '===== no tests ran in 0.01s =====\n', ['pytest', 0, 0, 0]],
  [
    'go test',
    'ok  \texample.com/a\t0.004s\nFAIL\texample.com/b\t0.01s\n?   \texample.com/c\t[no test files]\n',
    ['go test', 1, 1, 0],
  ],
  [
    'go test without tests',
    '?   \texample.com/c\t[no test files]\nok  \texample.com/d\t0.002s [no tests to run]\n',
    ['go test', 0, 0, 0],
  ],
  [
    'go test -v',
    '=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- FAIL: TestB/x (0.00s)\n--- SKIP: TestC (0.00s)\nok  \tx\t0.1s\n',
    ['go test', 1, 1, 1],
  ],
  [
    'go test -json',
    '{"Action":"pass","Package":"p","Test":"TestA","Elapsed":0}\n{"Action":"pass","Package":"p","Elapsed":0.1}\n',
    ['go test', 1, 0, 0],
  ],
  [
    'cargo test, several crates',
    'test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\ntest result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured\n',
    ['cargo test', 4, 2, 1],
  ],
  [
    'cargo test without tests',
    'running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n',
    ['cargo test', 0, 0, 0],
  ],
  [
    'surefire',
    '[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in a.ATest\n[INFO] Results:\n[INFO] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1\n',
    ['surefire', 2, 2, 1],
  ],
  ['rspec', 'Finished in 0.01 seconds\n5 examples, 1 failure, 1 pending\n', ['rspec', 3, 1, 1]],
  ['rspec without tests', '0 examples, 0 failures\n', ['rspec', 0, 0, 0]],
  ['phpunit', 'OK (5 tests, 10 assertions)\n', ['phpunit', 5, 0, 0]],
  [
    'phpunit, red',
    'FAILURES!\nTests: 5, Assertions: 10, Errors: 1, Failures: 1, Skipped: 1.\n',
    ['phpunit', 2, 2, 1],
  ],
  ['phpunit without tests', 'No tests executed!\n', ['phpunit', 0, 0, 0]],
  [
    'dotnet test',
    'Passed!  - Failed:     0, Passed:     5, Skipped:     1, Total:     6, Duration: 9 ms\n',
    ['dotnet test', 5, 0, 1],
  ],
  ['dotnet without tests', 'No test is available in /x/y.dll.\n', ['dotnet test', 0, 0, 0]],
  ['unittest', 'Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=1)\n', ['unittest', 3, 2, 0]],
  ['unittest without tests', '\nRan 0 tests in 0.000s\n\nOK\n', ['unittest', 0, 0, 0]],
  ['bun test', ' 2 pass\n 1 fail\nRan 3 tests across 1 file.\n', ['bun test', 2, 1, 0]],
  ['TAP', '1..3\nok 1 - a\nnot ok 2 - b\nok 3 # SKIP c\n', ['TAP', 1, 1, 1]],
  ['TAP of nothing', 'TAP version 13\n1..0\n', ['TAP', 0, 0, 0]],
  ['a linter', 'Checked 79 files in 2s. No fixes applied.\n', undefined],
  ['prose', 'All 5 tests passed, hooray\n', undefined],
  ['silence', '', undefined],
]

describe('the count of tests', () => {
  it.each(cases)('is read from %s', (_, output, expected) => {
    const counts = countTests(output)
    expect(counts && [counts.runner, counts.passed, counts.failed, counts.skipped]).toEqual(expected)
  })

  it('is read from JUnit reports, each case once however suites are nested', () => {
    const xml = `<testsuites tests="3"><testsuite tests="3"><testsuite tests="3">
      <testcase name="a"/><testcase name="b"><failure>x</failure></testcase>
      <testcase name="c"><skipped/></testcase></testsuite></testsuite></testsuites>`
    expect(countJUnit(xml)).toEqual({ runner: 'JUnit', passed: 1, failed: 1, skipped: 1 })
    expect(countJUnit('<testsuites/>')).toMatchObject({ passed: 0, failed: 0 })
    expect(countJUnit('<html/>')).toBeUndefined()
  })

  it('stays linear on a large output without meaning', () => {
    expect(countTests('x'.repeat(2_000_000))).toBeUndefined()
    expect(countTests('   \n'.repeat(300_000))).toBeUndefined()
    expect(countTests('<testcase '.repeat(100_000))).toBeUndefined()
  })
})

it('removes colours, titles and overwritten progress', () => {
  expect(stripEscapes('\x1b[31mred\x1b[0m \x1b]0;title\x07x\n10 %\r20 %\rdone\r\n')).toBe('red x\ndone\n')
})
