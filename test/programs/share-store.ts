import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { CaseCommand } from '../../src/cases/command.ts'
import { Failure } from '../../src/platform/failure.ts'
import { openStore } from '../../src/store/open-store.ts'

/**
 * A process that shares a project's store with others. Every line it reads is a list of transactions, given to the
 * store all at once; every answer is printed as soon as it comes: `number kind code created…`, and `done`
 * after the last of the line. The end of its input ends it.
 * Arguments: folder, name, how long an owner may be silent (ms).
 */
const [folder = '', name = '', answerMsMax = '30000'] = process.argv.slice(2)

async function answerOf(commands: readonly CaseCommand[]): Promise<string> {
  try {
    const outcome = await store.transact({ by: name, commands })
    if (outcome.kind === 'committed') return `committed ok ${outcome.created.join(' ')}`
    return outcome.kind === 'refused' ? `refused ${outcome.code} ${outcome.message}` : 'stale'
  } catch (error) {
    if (error instanceof Failure) return `failed ${error.code} ${error.message}`
    throw error
  }
}

const store = await openStore({ folder, purpose: name, answerMsMax: Number(answerMsMax) })
writeSync(1, 'ready\n')
let asked = 0
for await (const line of createInterface({ input: process.stdin })) {
  const batches = JSON.parse(line) as CaseCommand[][]
  const first = asked
  asked += batches.length
  const ask = async (commands: readonly CaseCommand[], index: number) =>
    writeSync(1, `${first + index} ${await answerOf(commands)}\n`)
  await Promise.all(batches.map(ask))
  writeSync(1, 'done\n')
}
await store.close()
