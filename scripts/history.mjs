// `npm run history -- REPO N`: the last N commits of any git repository as a plan, applied by simulated agents through
// the real director. Ends with exit code 0 when the target has exactly that repository's tree.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { replayHistory } from '../test/history/replay-history.ts'

const TIMEOUT_MS = 3_600_000
const [repository, count, ...flags] = process.argv.slice(2)
const number = Number(count)
if (repository === undefined || !Number.isInteger(number) || number < 1) {
  console.error('npm run history -- REPO N [--agents K] [--keep]')
  process.exit(2)
}
const at = flags.indexOf('--agents')
const agents = at < 0 ? 4 : Number(flags[at + 1])
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'axiom-history-')))
try {
  const done = await replayHistory({
    repository: resolve(repository),
    count: number,
    folder,
    agents,
    timeoutMs: TIMEOUT_MS,
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
