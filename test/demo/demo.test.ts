import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { copyProduct, demoFolder, git, orphansIn, pathWithout, startAxiom, tasksOn } from './demo-process.ts'

function folder(): string {
  const { dir, remove } = demoFolder()
  onTestFinished(remove)
  return dir
}

/** The levels at which the work of a demo was done, as its evidence says. */
function levelsOfEvidence(dir: string): string[] {
  const blobs = join(dir, '.axiom/blobs')
  const files = readdirSync(blobs, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  const texts = files.map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))
  return [...new Set(texts.flatMap((text) => /"sandbox":"([\w-]+)"/.exec(text)?.[1] ?? []))]
}

it('the demo shows the whole loop, everything lands on a green branch, and its recording replays to the same files', async () => {
  const dir = folder()
  const demo = startAxiom(['demo', '--exit', '--json', '--dir', dir])
  expect([await demo.ended, demo.errors()]).toEqual([0, ''])
  expect(demo.lines.at(-1)).toEqual({
    type: 'summary',
    landed: 6,
    failed: 0,
    rework: 1,
    conflictsResolved: 1,
    discoveries: 1,
    questions: 1,
    repository: dir,
  })
  const story = demo.lines.filter(({ type }) => type === 'story')
  expect(story.every(({ simulated }) => simulated === true)).toBe(true)
  const told = story.map(({ who, text }) => `${who}: ${text}`).join('\n')
  for (const words of [
    /ava: "npm test" passes in a fresh checkout/,
    /axel: task-006 has criteria now/,
    /echo: task-001 claimed to be done, and its check is red/,
    /critic: task-003 goes back to echo-\d+: REVIEW_FAILED/,
    /dex: Nobody is asked in a demo; the default answers pend-001: other/,
    /rex: task-00[13] conflicts with what has landed meanwhile, in src\/index\.js/,
    /rex: rex-001 kept what both sides wanted/,
    /cleo: disc-001 stood in the prompts of .*task-002/,
    /ash: 6 landed/,
    /max: The tests of the landed branch pass/,
  ])
    expect(told).toMatch(words)
  expect(tasksOn(join(dir, '.git')).toSorted()).toEqual(
    [1, 2, 3, 4, 5, 6].map((number) => `task-00${number}`),
  )
  const index = git(join(dir, '.git'), 'show', 'main:src/index.js')
  for (const name of ['parseCsv', 'monthlyTotals', 'categoryOf', 'importExport', 'renderReport'])
    expect(index.match(new RegExp(`\\b${name}\\b`, 'g')), name).toHaveLength(1)
  expect(await orphansIn(dir)).toEqual([])

  const replay = startAxiom(['replay', join(dir, '.axiom/recordings/dex-001.jsonl'), '--json'])
  expect([await replay.ended, replay.errors()]).toEqual([0, ''])
  expect(replay.lines.at(-1)).toMatchObject({ same: true, done: { length: 6 } })
  const { repository } = replay.lines.at(-1) as unknown as { repository: string }
  onTestFinished(() => rmSync(repository, { recursive: true, force: true }))
})

it('the demo ends well at level unshare where bubblewrap is not installed', async () => {
  const { path, remove } = pathWithout('bwrap')
  onTestFinished(remove)
  const dir = folder()
  const demo = startAxiom(['demo', '--exit', '--json', '--dir', dir], { env: { ...process.env, PATH: path } })
  expect([await demo.ended, demo.errors()]).toEqual([0, ''])
  expect(demo.lines.at(-1)).toMatchObject({ type: 'summary', landed: 6, failed: 0 })
  expect(demo.lines).toContainEqual(
    expect.objectContaining({ who: 'ava', text: 'Commands and agents run inside the sandbox: unshare.' }),
  )
  expect(levelsOfEvidence(dir)).toEqual(['unshare'])
  expect(await orphansIn(dir)).toEqual([])
})

it('a demo whose agents fail says why and what to do, claims nothing, and ends with 1', async () => {
  const product = copyProduct()
  onTestFinished(product.remove)
  const words = 'bwrap: Can not find source path /gone'
  writeFileSync(
    product.sim,
    `if (process.argv.includes('--version')) process.exit(0)\nprocess.stderr.write('${words}\\n')\nprocess.exit(1)\n`,
  )
  const demo = startAxiom(['demo', '--exit', '--json', '--dir', folder()], { axiom: product.axiom })
  expect(await demo.ended).toBe(1)
  expect(demo.lines.at(-1)).toMatchObject({ type: 'summary', landed: 0, failed: 6 })
  const told = demo.lines.map(({ who, text }) => `${who}: ${text}`).join('\n')
  expect(told).toContain('max: Nothing landed. The demo failed.')
  expect(told).toContain(
    `max: task-001, task-003, task-004 did not land: AGENT_FAILED: exit code 1: ${words}`,
  )
  expect(told).toContain('max: "axiom doctor" tries everything')
  expect(told).not.toMatch(/tests of the landed branch/)
})

it.each([
  ['code', 'sample/src/amount.js', 'cents : cents', 'cents : cents + 1'],
  ['test', 'sample/test/ledger.test.js', '105_000', '105_001'],
])('a sample whose %s is broken ends the demo with 1', async (_what, file, from, to) => {
  const product = copyProduct()
  onTestFinished(product.remove)
  const path = join(product.demo, file)
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(from)
  writeFileSync(path, text.replace(from, to))
  const demo = startAxiom(['demo', '--exit', '--json', '--dir', folder()], { axiom: product.axiom })
  expect(await demo.ended).toBe(1)
  expect(demo.lines.at(-1)).toMatchObject({ type: 'summary', landed: 0, failed: 6 })
  expect(JSON.stringify(demo.lines)).not.toMatch(/tests of the landed branch/)
})

it('a demo that is told to end ends at once, leaves nobody behind, and is gone on with later', async () => {
  const dir = folder()
  const demo = startAxiom(['demo', '--exit', '--json', '--dir', dir])
  await demo.until(({ task }) => typeof task === 'string')
  demo.terminate()
  expect(await demo.ended).toBe(130)
  expect(await orphansIn(dir)).toEqual([])
  const again = startAxiom(['demo', '--exit', '--json', '--dir', dir])
  expect([await again.ended, again.errors()]).toEqual([0, ''])
  expect(again.lines.at(-1)).toMatchObject({ type: 'summary', landed: 6, failed: 0 })
})
