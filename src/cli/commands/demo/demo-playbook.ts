import type { Entry, Playbook } from '../../../sim/playbook.ts'
import type { Step } from '../../../sim/step.ts'
import type { DemoMaterial } from './demo-material.ts'

/** The folder in which agents wait for each other, beside the playbook. */
export const MEETING = 'meeting'
const MEETING_MS_MAX = 120_000

const NOT_OFFERED = '// Not offered yet: reading bank exports, totals by month.'
const ANSWERED = '## An answer to your question'

export const QUESTION =
  'Shall an entry that fits no rule be counted as "other", or be left out of the report? (default: other)'
export const DISCOVERY =
  'Bank exports write amounts with a decimal comma: read them with parseAmount, which takes both, never with Number.'

/**
 * The steps of the demo's simulated agents. They depend only on the workspace and the prompt, so an
 * interrupted agent does the right thing again.
 */
export function demoPlaybook(material: DemoMaterial, seed: number): Playbook {
  return {
    seed,
    paceMs: [20, 120],
    entries: [
      ...csvEntries(material),
      ...monthlyEntries(material),
      ...categoriesEntries(material),
      ...laterEntries(material),
      ...reviewerEntries(),
    ],
  }
}

const say = (text: string): Step => ({ do: 'say', text })
const progress = (percent: number): Step => ({ do: 'signal', tag: 'PROGRESS', payload: String(percent) })
const commit = (type: string, words: string): Step => ({ do: 'commit', message: `${type}: ${words}` })
const complete = (after: string): Step => ({ do: 'signal', tag: 'COMPLETE', after })
const test = (file: string): Step => ({ do: 'run', command: `node --test ${file}`, mustPass: true })
const think = (inputTokens: number, outputTokens: number): Step => ({
  do: 'think',
  text: 'Reading the task, the code around it and its tests.',
  inputTokens,
  outputTokens,
})

/**
 * The two agents that change the same line of the public API wait here, so neither sees the other's change.
 */
const meet: Step = { do: 'barrier', path: MEETING, arrivals: 2, atMostMs: MEETING_MS_MAX }

/** Both agents replace this line with their own. No rule can merge that, so the conflict goes to Rex. */
const offerInstead = (name: string, file: string): Step =>
  offerOnce(NOT_OFFERED, `export { ${name} } from '${file}'`)

const offerBehind = (line: string, name: string, file: string): Step =>
  offerOnce(line, `${line}\nexport { ${name} } from '${file}'`)

function csvEntries(material: DemoMaterial): Entry[] {
  const who = { role: 'developer', tasks: ['t-csv'] }
  return [
    {
      ...who,
      holds: { file: 'src/csv.js', text: 'FIELD' },
      steps: [
        offerInstead('parseCsv', './csv.js'),
        test('test/csv.test.js'),
        commit('fix', 'take quoted fields apart only outside of their quotes'),
        complete('Quoted fields hold now.'),
      ],
    },
    {
      ...who,
      holds: { file: 'src/csv.js', text: 'parseCsv' },
      steps: [
        think(2_400, 310),
        say(
          'The check is right: splitting at every semicolon tears quoted fields apart. I read field by field.',
        ),
        { do: 'signal', tag: 'DISCOVERY_GLOBAL', payload: DISCOVERY },
        progress(70),
        ...material.turn('csv-quoted'),
        offerInstead('parseCsv', './csv.js'),
        test('test/csv.test.js'),
        commit('fix', 'take quoted fields apart only outside of their quotes'),
        complete('Quoted fields hold now.'),
      ],
    },
    {
      ...who,
      steps: [
        think(3_800, 620),
        say('Rows are lines, fields stand between semicolons.'),
        progress(20),
        meet,
        ...material.turn('csv-naive'),
        offerInstead('parseCsv', './csv.js'),
        progress(60),
        commit('feat', 'parse the rows of a bank export'),
        complete('The rows of an export are parsed.'),
      ],
    },
  ]
}

function monthlyEntries(material: DemoMaterial): Entry[] {
  const who = { role: 'developer', tasks: ['t-monthly'] }
  return [
    {
      ...who,
      holds: { file: 'src/monthly.js', text: 'getMonth' },
      steps: [
        think(2_900, 410),
        say(
          'The review is right: a number of a month forgets its year. The key becomes the first part of the day.',
        ),
        ...material.turn('monthly-keyed'),
        offerInstead('monthlyTotals', './monthly.js'),
        progress(80),
        test('test/monthly.test.js'),
        commit('fix', 'keep the months of two years apart'),
        complete('Months carry their year.'),
      ],
    },
    {
      ...who,
      holds: { file: 'src/monthly.js', text: 'MONTH_CHARACTERS' },
      steps: [
        offerInstead('monthlyTotals', './monthly.js'),
        test('test/monthly.test.js'),
        commit('fix', 'keep the months of two years apart'),
        complete('Months carry their year.'),
      ],
    },
    {
      ...who,
      steps: [
        think(3_500, 540),
        say('A total is kept for each month.'),
        progress(25),
        meet,
        ...material.turn('monthly-hasty'),
        offerInstead('monthlyTotals', './monthly.js'),
        progress(65),
        test('test/monthly.test.js'),
        commit('feat', 'sum entries by month'),
        complete('Entries are summed by month.'),
      ],
    },
  ]
}

function categoriesEntries(material: DemoMaterial): Entry[] {
  const who = { role: 'developer', tasks: ['t-categories'] }
  return [
    {
      ...who,
      told: ANSWERED,
      steps: [
        think(2_100, 380),
        say('So it is: what fits no rule is counted as other.'),
        ...material.turn('categories'),
        offerBehind(
          "export { formatAmount, parseAmount } from './amount.js'",
          'categoryOf',
          './categories.js',
        ),
        progress(75),
        test('test/categories.test.js'),
        commit('feat', 'name the category of an entry by rules'),
        complete('Rules name the category; the rest is other.'),
      ],
    },
    { ...who, steps: [think(1_900, 120), progress(10), { do: 'ask', question: QUESTION }] },
  ]
}

/** The tasks that build on the others. */
function laterEntries(material: DemoMaterial): Entry[] {
  return [
    {
      role: 'developer',
      tasks: ['t-import'],
      steps: [
        think(3_100, 450),
        say(
          'The ledger knows how amounts are read: parseAmount takes the decimal comma, so I leave them to it.',
        ),
        ...material.turn('import'),
        offerBehind("export { makeEntry } from './entry.js'", 'importExport', './import.js'),
        progress(70),
        test('test/import.test.js'),
        commit('feat', 'make entries of a bank export'),
        complete('An export becomes entries.'),
      ],
    },
    {
      role: 'developer',
      tasks: ['t-report'],
      steps: [
        think(4_200, 760),
        say('Totals and categories are there; the report lays them out.'),
        ...material.turn('report'),
        offerBehind("export { openLedger } from './ledger.js'", 'renderReport', './report.js'),
        progress(60),
        test('test/report.test.js'),
        commit('feat', 'render the report by month and category'),
        complete('The report shows each month by category.'),
      ],
    },
    {
      role: 'developer',
      tasks: ['t-guide'],
      steps: [
        think(1_700, 260),
        ...material.turn('guide'),
        { do: 'run', command: LIST_OFFERS, mustPass: true },
        progress(70),
        test('test/guide.test.js'),
        commit('feat', 'list what the library offers'),
        complete('The guide names what can be imported.'),
      ],
    },
  ]
}

/** Writes the list only if an earlier attempt has not written it. */
const LIST_OFFERS =
  "grep -q '^## The pieces' README.md || printf '\\n## The pieces\\n\\n`parseAmount` and `formatAmount` read and write amounts, `makeEntry` makes an entry, `openLedger` keeps them.\\n' >> README.md"

/** Changes the public API of the library, unless an interrupted attempt has changed it already. */
function offerOnce(from: string, to: string): Step {
  const script = `const fs = require('node:fs')
const text = fs.readFileSync('src/index.js', 'utf8')
if (!text.includes(${JSON.stringify(to)})) fs.writeFileSync('src/index.js', text.replace(${JSON.stringify(from)}, ${JSON.stringify(to)}))`
  return { do: 'run', command: `node -e ${quoted(script)}`, mustPass: true }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/**
 * The critic finds what the tests miss, the analyst makes a vague task testable, and Rex keeps both changes.
 */
function reviewerEntries(): Entry[] {
  return [
    {
      role: 'critic',
      tasks: ['t-monthly'],
      holds: { file: 'src/monthly.js', text: 'getMonth' },
      steps: [
        think(2_600, 240),
        {
          do: 'play',
          verdict: 'failed',
          issues: [
            {
              file: 'src/monthly.js',
              line: 5,
              text: 'getMonth() puts January 2025 and January 2026 together and depends on the time zone',
            },
          ],
          fixes: ['Take the month with its year from the day itself, and show two years by a test'],
          priority: 'HIGH',
        },
      ],
    },
    { role: 'critic', steps: [think(1_500, 120), { do: 'play' }] },
    { role: 'auditor', steps: [think(1_800, 160), { do: 'play' }] },
    {
      role: 'analyst',
      tasks: ['t-guide'],
      steps: [
        think(1_200, 210),
        {
          do: 'play',
          criteria: [
            'README.md has a section that names parseAmount, formatAmount, makeEntry and openLedger',
            'A test fails when one of them is missing',
          ],
        },
      ],
    },
    { role: 'resolver', steps: [think(2_000, 180), { do: 'play' }] },
  ]
}
