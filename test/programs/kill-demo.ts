import { killDemos } from '../demo/kill-demo.ts'

const KILLS_PER_DEMO = 10
const [kills = 100, seed = 1] = process.argv.slice(2).map(Number)

const report = await killDemos(kills, KILLS_PER_DEMO, seed, (words) => process.stderr.write(`${words}\n`))
const { recoveryMs, faults } = report
const at = (share: number): number => recoveryMs[Math.floor(share * (recoveryMs.length - 1))] ?? 0
process.stdout.write(
  `${JSON.stringify({ kills: report.kills, demos: report.demos, recoveryMs: { p50: at(0.5), p95: at(0.95), most: at(1) }, faults })}\n`,
)
process.exitCode = faults.length === 0 ? 0 : 1
