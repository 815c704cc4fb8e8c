// `npm run bench -- NAME [--json]`: runs one benchmark, or all of them, and prints a line per measure.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Measure, Report } from './measure.ts'

const folder = import.meta.dirname
const names = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const json = process.argv.includes('--json')
const known = readdirSync(folder)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace('.bench.ts', ''))

const missing = names.find((name) => !existsSync(join(folder, `${name}.bench.ts`)))
if (missing !== undefined) {
  console.error(`There is no benchmark "${missing}". Known: ${known.join(', ')}`)
  process.exit(2)
}

let unmet = 0
const report: Report = (measure) => {
  if (!measure.met) unmet += 1
  console.log(json ? JSON.stringify(measure) : line(measure))
}

function line({ name, metric, value, unit, limit, ratio, target, met }: Measure): string {
  const figures = `${figure(value)} ${unit} beside ${figure(limit)}`
  return `${met ? 'ok  ' : 'MISS'} ${name}: ${metric}: ratio ${ratio.toFixed(2)} (${target}); ${figures}`
}

function figure(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}

for (const name of names.length > 0 ? names : known) {
  const { run }: { run: (report: Report) => Promise<void> } = await import(join(folder, `${name}.bench.ts`))
  await run(report)
}
process.exit(unmet === 0 ? 0 : 1)
