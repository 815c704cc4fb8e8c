import { simulate } from './simulate.ts'
const [from, to] = process.argv.slice(2).map(Number)
const t = Date.now()
for (let s = from ?? 0; s < (to ?? 0); s += 1) await simulate(s).catch((e) => console.log(s, String(e)))
console.log('done', from, to, Date.now() - t)
process.exit(0)
