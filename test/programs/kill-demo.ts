import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyProduct } from '../demo/demo-process.ts'
import { type Death, killDemos } from '../demo/kill-demo.ts'

/** `npm run demo:kill -- [kills] [seed] [first demo] [--without-recovery | --without-walls]` */
const KILLS_PER_DEMO = 10
const words = process.argv.slice(2)
const [kills = 100, seed = 1, firstDemo = 1] = words.filter((word) => !word.startsWith('--')).map(Number)

/** Products that must be found out: what a dead director left is not taken up; agents outlive their director. */
const BROKEN: Readonly<Record<string, readonly [file: string, from: string, to: string]>> = {
  '--without-recovery': ['director/reconcile.js', 'afterDeath(scene, row) ??', ''],
  '--without-walls': ['platform/sandbox/bwrap-arguments.js', "'--die-with-parent',", ''],
}

const interrupted = new AbortController()
process.once('SIGINT', () => interrupted.abort())
const deaths: Death[] = []
const faults: string[] = []
const broken = Object.keys(BROKEN).find((name) => words.includes(name))
const product = broken === undefined ? undefined : breakProduct(broken)
try {
  await killDemos({
    kills,
    killsPerDemo: KILLS_PER_DEMO,
    seed,
    firstDemo,
    signal: interrupted.signal,
    ...(product ? { axiom: product.axiom } : {}),
    onDeath(death) {
      deaths.push(death)
      process.stdout.write(`${JSON.stringify({ kill: deaths.length, ...death })}\n`)
    },
    onFinish(demo, found) {
      faults.push(...found)
      process.stdout.write(`${JSON.stringify({ finished: demo, kills: deaths.length, faults: found })}\n`)
    },
  })
} finally {
  product?.remove()
}
const recovery = deaths.flatMap(({ recoveryMs }) => recoveryMs ?? []).toSorted((a, b) => a - b)
const at = (share: number): number => recovery[Math.floor(share * (recovery.length - 1))] ?? 0
const recoveryMs = { median: at(0.5), p95: at(0.95), max: at(1) }
process.stdout.write(`${JSON.stringify({ kills: deaths.length, recoveryMs, faults })}\n`)
process.exitCode = faults.length === 0 ? 0 : 1

function breakProduct(name: string): ReturnType<typeof copyProduct> {
  const [file = '', from = '', to = ''] = BROKEN[name] ?? []
  const copy = copyProduct()
  const path = join(copy.demo, '../dist', file)
  const text = readFileSync(path, 'utf8')
  if (!text.includes(from)) throw new Error(`${file} does not hold ${from}`)
  writeFileSync(path, text.replaceAll(from, to))
  return copy
}
