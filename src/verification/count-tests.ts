/** The counts that a test runner reported. */
export interface TestCounts {
  readonly runner: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

type Counter = (output: string) => Omit<TestCounts, 'runner'> | undefined

/** Sums every match of a pattern whose groups are named `passed`, `failed`, `skipped` or `total`. */
function summed(pattern: RegExp): Counter {
  return (output) => {
    const matches = [...output.matchAll(pattern)].map(({ groups }) => groups ?? {})
    if (matches.length === 0) return undefined
    const sum = (name: string): number =>
      matches.reduce((total, groups) => total + Number(groups[name] ?? 0), 0)
    const [failed, skipped] = [sum('failed') + sum('errors'), sum('skipped')]
    const total = sum('total')
    return { passed: total > 0 ? total - failed - skipped : sum('passed'), failed, skipped }
  }
}

/** Sums one number per line kind: for runners that print each figure on a line of its own. */
function lines(anchor: RegExp, kinds: Readonly<Record<'passed' | 'failed' | 'skipped', RegExp>>): Counter {
  return (output) => {
    if (!anchor.test(output)) return undefined
    const sum = (kind: RegExp): number =>
      [...output.matchAll(kind)].reduce((total, match) => total + Number(match[1] ?? 1), 0)
    return { passed: sum(kinds.passed), failed: sum(kinds.failed), skipped: sum(kinds.skipped) }
  }
}

const NONE = { passed: 0, failed: 0, skipped: 0 }

/** Matches a runner's message that it found no tests. */
function nothing(words: RegExp): Counter {
  return (output) => (words.test(output) ? NONE : undefined)
}

const vitest = summed(
  /^[ \t]*Tests[ \t]+(?:(?<failed>\d+) failed[ |]*)?(?:(?<passed>\d+) passed[ |]*)?(?:(?<skipped>\d+) skipped[ |]*)?(?:\d+ todo *)?\(\d+\)/gm,
)
const jest = summed(
  /^Tests: +(?:(?<failed>\d+) failed, )?(?:(?<skipped>\d+) skipped, )?(?:\d+ todo, )?(?:(?<passed>\d+) passed, )?\d+ total/gm,
)
const pytest = (output: string): ReturnType<Counter> => {
  const summary = output
    .split('\n')
    .filter((line) =>
      /^(?:=+ )?\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?)\b.* in [\d.]+s/.test(
        line,
      ),
    )
  if (summary.length === 0) return undefined
  const count = (word: string): number =>
    summary.reduce((total, line) => total + Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0), 0)
  return {
    passed: count('passed') + count('xpassed'),
    failed: count('failed') + count('error'),
    skipped: count('skipped'),
  }
}
const surefire = (output: string): ReturnType<Counter> => {
  const pattern =
    /^.*Tests run: (?<total>\d+), Failures: (?<failed>\d+), Errors: (?<errors>\d+), Skipped: (?<skipped>\d+).*$/gm
  // Each class prints a line with its time, each module one without; the classes are in the modules already.
  const found = [...output.matchAll(pattern)].map(([line]) => line)
  const modules = found.filter((line) => !/Time elapsed|-- in /.test(line))
  return summed(pattern)((modules.length > 0 ? modules : found).join('\n'))
}
/** Without -v, go names packages only: each that is `ok` has run at least one test, unless it says otherwise. */
const goPackages = (output: string): ReturnType<Counter> => {
  const found = output
    .split('\n')
    .filter((line) => /^(?:ok|FAIL|\?)\s+\t?\S+\s+(?:[\d.]+s|\(cached\)|\[no test files\])/.test(line))
  if (found.length === 0) return undefined
  const ran = found.filter((line) => !/\[no test(?:s to run| files)\]/.test(line))
  const failed = ran.filter((line) => line.startsWith('FAIL')).length
  return { passed: ran.length - failed, failed, skipped: 0 }
}
const tap = (output: string): ReturnType<Counter> => {
  if (!/^(?:TAP version \d+|1\.\.\d+)/m.test(output)) return undefined
  const points = output.split('\n').filter((line) => /^(?:not )?ok\b/.test(line))
  const skipped = points.filter((line) => /# (?:SKIP|TODO)/i.test(line))
  const failed = points.filter((line) => line.startsWith('not ok') && !skipped.includes(line))
  return {
    passed: points.length - failed.length - skipped.length,
    failed: failed.length,
    skipped: skipped.length,
  }
}

/** In order: where one runner's output also matches another's pattern, the more specific one comes first. */
const COUNTERS: readonly (readonly [string, Counter])[] = [
  ['vitest', vitest],
  ['vitest', nothing(/^[ \t]*No test files found/m)],
  ['jest', jest],
  ['jest', nothing(/^No tests found, exiting with code/m)],
  [
    'node:test',
    lines(/^(?:#|ℹ) tests \d+$/m, {
      passed: /^(?:#|ℹ) pass (\d+)$/gm,
      failed: /^(?:#|ℹ) (?:fail|cancelled) (\d+)$/gm,
      skipped: /^(?:#|ℹ) (?:skipped|todo) (\d+)$/gm,
    }),
  ],
  [
    'mocha',
    lines(/^ +\d+ passing \(/m, {
      passed: /^ +(\d+) passing \(/gm,
      failed: /^ +(\d+) failing$/gm,
      skipped: /^ +(\d+) pending$/gm,
    }),
  ],
  ['pytest', pytest],
  ['pytest', nothing(/^(?:=+ )?no tests ran in /m)],
  [
    'cargo test',
    summed(/^test result: \w+\. (?<passed>\d+) passed; (?<failed>\d+) failed; (?<skipped>\d+) ignored/gm),
  ],
  [
    'go test',
    lines(/^ *--- (?:PASS|FAIL|SKIP): /m, {
      passed: /^ *--- PASS: /gm,
      failed: /^ *--- FAIL: /gm,
      skipped: /^ *--- SKIP: /gm,
    }),
  ],
  [
    'go test',
    lines(/^\{.*"Action":"(?:pass|fail|skip)".*\}$/m, {
      passed: /^\{.*"Action":"pass".*"Test":.*\}$/gm,
      failed: /^\{.*"Action":"fail".*"Test":.*\}$/gm,
      skipped: /^\{.*"Action":"skip".*"Test":.*\}$/gm,
    }),
  ],
  ['go test', goPackages],
  ['surefire', surefire],
  ['rspec', summed(/^(?<total>\d+) examples?, (?<failed>\d+) failures?(?:, (?<skipped>\d+) pending)?/gm)],
  ['phpunit', summed(/^OK \((?<total>\d+) tests?, /gm)],
  [
    'phpunit',
    summed(
      /^Tests: (?<total>\d+), Assertions: \d+(?:, Errors: (?<errors>\d+))?(?:, Failures: (?<failed>\d+))?(?:, Warnings: \d+)?(?:, Skipped: (?<skipped>\d+))?/gm,
    ),
  ],
  ['phpunit', nothing(/^No tests executed!/m)],
  [
    'dotnet test',
    summed(
      /(?:Passed|Failed|Skipped)!\s+- Failed:\s+(?<failed>\d+), Passed:\s+(?<passed>\d+), Skipped:\s+(?<skipped>\d+)/g,
    ),
  ],
  ['dotnet test', nothing(/No test is available in /)],
  [
    'unittest',
    (output) => {
      const ran = summed(/^Ran (?<total>\d+) tests? in /gm)(output)
      const bad = summed(/^FAILED \((?:failures=(?<failed>\d+))?(?:, )?(?:errors=(?<errors>\d+))?/gm)(output)
      return ran && { ...ran, passed: ran.passed - (bad?.failed ?? 0), failed: bad?.failed ?? 0 }
    },
  ],
  [
    'bun test',
    lines(/^ *\d+ pass$/m, {
      passed: /^ *(\d+) pass$/gm,
      failed: /^ *(\d+) fail$/gm,
      skipped: /^ *(\d+) skip$/gm,
    }),
  ],
  ['TAP', tap],
]

/** No summary is longer; endless lines would make the search for one endless too. */
const LINE_CHARACTERS_MAX = 500

/** Reads the summaries of known runners; undefined when none is recognised. */
export function countTests(output: string): TestCounts | undefined {
  const plain = stripEscapes(output)
    .split('\n')
    .map((line) => line.slice(0, LINE_CHARACTERS_MAX))
    .join('\n')
  for (const [runner, count] of COUNTERS) {
    const counts = count(plain)
    if (counts) return { runner, ...counts }
  }
  return undefined
}

/** Counts from a JUnit report, which nearly every runner can write. */
export function countJUnit(xml: string): TestCounts | undefined {
  // Suites may hold suites, and the outer repeats the figures of the inner; only cases are counted once.
  const [before = '', ...parts] = xml.split(/<testcase\b/)
  const cases = parts.map((part) => part.split('</testcase>', 1)[0] ?? '')
  if (cases.length === 0) return /<testsuites?\b/.test(before) ? { runner: 'JUnit', ...NONE } : undefined
  const failed = cases.filter((body) => /<(?:failure|error)\b/.test(body)).length
  const skipped = cases.filter((body) => /<skipped\b/.test(body)).length
  return { runner: 'JUnit', passed: cases.length - failed - skipped, failed, skipped }
}

/** Text without colours and cursor movements, and with only the last state of a line that was drawn over and over. */
export function stripEscapes(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are to be removed
  const escapes = /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g
  return text
    .replaceAll(escapes, '')
    .split('\n')
    .map((line) => line.replace(/\r$/, ''))
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .join('\n')
}
