// `npm run history -- REPO N`: the last N commits of any git repository as a plan, applied by simulated agents through
// the real director. Ends with exit code 0 when the target has exactly that repository's tree.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { replayHistory } from '../test/history/replay-history.ts'

/** The run is stopped after this; what has landed by then is still compared. */
const MINUTES = 60
const [repository, count, ...flags] = process.argv.slice(2)
const number = Number(count)
if (repository === undefined || !Number.isInteger(number) || number < 1) {
  console.error('npm run history -- REPO N [--agents K] [--minutes M] [--keep]')
  process.exit(2)
}
const agents = numberOf('--agents', 4)
const minutes = numberOf('--minutes', MINUTES)
const beganMs = Date.now()
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'axiom-history-')))
try {
  const done = await replayHistory({
    repository: resolve(repository),
    count: number,
    folder,
    agents,
    timeoutMs: minutes * 60_000,
    onProgress: (landed, tasks) =>
      console.error(`${landed} of ${tasks} landed after ${Math.round((Date.now() - beganMs) / 1000)} s`),
    onEvent: (line) => console.log(line),
  })
  const { tasks, landed, wantedTree, recordTree, userTree } = done
  const isSame = recordTree === wantedTree && userTree === wantedTree
  console.log(
    JSON.stringify({ type: 'history', tasks, landed, wantedTree, recordTree, userTree, same: isSame }),
  )
  if (!isSame) console.error(`the tree differs; look at it in ${done.user}\n${done.stderr}`)
  process.exitCode = isSame ? 0 : 1
} finally {
  if (!flags.includes('--keep') && process.exitCode !== 1) rmSync(folder, { recursive: true, force: true })
}

function numberOf(flag, usual) {
  const at = flags.indexOf(flag)
  const value = at < 0 ? usual : Number(flags[at + 1])
  if (Number.isInteger(value) && value >= 1) return value
  console.error(`${flag} wants a whole number of at least 1`)
  process.exit(2)
}
