// Loaded before the program: its clock shows the machine's time and what stands in a file, in milliseconds.
import { readFileSync } from 'node:fs'

const file = process.env.AXIOM_TEST_CLOCK
const RealDate = Date
const LOOK_EVERY_MS = 5
let shiftMs = 0
let lookedAtMs = 0

function now() {
  const realMs = RealDate.now()
  if (file !== undefined && Math.abs(realMs - lookedAtMs) >= LOOK_EVERY_MS) {
    lookedAtMs = realMs
    shiftMs = Number(readFileSync(file, 'utf8')) || 0
  }
  return realMs + shiftMs
}

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(now())
    else super(...given)
  }

  static now() {
    return now()
  }
}
