// `npm run machine -- [--row NAME] [--user] [COMMAND…]`: a fresh machine, simulated on this one
// (docs/machines.md). With a command: runs it there by `sh`. Without: clones HEAD and starts it, as the
// matrix does.
import { openPreparedFolder, startFirst } from '../test/machine/first-start.ts'
import { runInMachine } from '../test/machine/machine.ts'
import { ROWS } from '../test/machine/rows.ts'

const COMMAND_MS_MAX = 3_600_000

const words = process.argv.slice(2)
let row = ROWS[0]
while (words[0]?.startsWith('--')) {
  const word = words.shift()
  if (word === '--user') row = { ...row, user: 'plain' }
  else if (word === '--root') row = { ...row, user: 'root' }
  else if (word === '--row') {
    const name = words.shift()
    row = ROWS.find((one) => one.name === name)
    if (!row) fail(`"${name}" is none of the rows:\n${ROWS.map((one) => `  ${one.name}`).join('\n')}`)
  } else fail(`${word} is not known; there are --row NAME, --user, --root`)
}

function fail(message) {
  console.error(message)
  process.exit(2)
}

const onOutput = (text) => process.stdout.write(text)
if (words.length > 0) {
  const { code } = await runInMachine({
    machine: row,
    script: words.join(' '),
    timeoutMs: COMMAND_MS_MAX,
    onOutput,
  })
  process.exit(code ?? 1)
}
const prepared = openPreparedFolder()
try {
  const { landed, exitCode, level, seconds, left } = await startFirst({
    machine: row,
    checkout: row.checkout,
    prepared: { folder: prepared.folder, isMadeHere: true },
    onOutput,
  })
  console.log(
    `${row.name}: landed ${landed} of 6, exit ${exitCode}, ${level}, ${seconds.toFixed(0)} s, left behind: ${left.join('; ') || 'nothing'}`,
  )
  process.exitCode = landed === 6 && exitCode === 0 ? 0 : 1
} finally {
  prepared.remove()
}
