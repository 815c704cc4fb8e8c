// `npm run fuzz [-- INPUTS [SEED]]`: the signal parser against its oracle, ten million inputs unless told otherwise.
import { fuzzSignals } from '../fuzz/compare.ts'

const inputs = Number(process.argv[2] ?? 10_000_000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const BATCH = 250_000
const begun = Date.now()
let signals = 0
let problems = 0
for (let done = 0; done < inputs; done += BATCH) {
  const result = fuzzSignals(seed + done / BATCH, Math.min(BATCH, inputs - done))
  signals += result.signals
  problems += result.problems
  if (result.differences.length > 0) {
    process.stdout.write(`${JSON.stringify(result.differences, null, 2)}\n`)
    process.exit(1)
  }
  const count = Math.min(done + BATCH, inputs)
  process.stdout.write(
    `${count} inputs, ${signals} signals, ${problems} problems, 0 differences, ${Math.round((Date.now() - begun) / 1000)} s\n`,
  )
}
