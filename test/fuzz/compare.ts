import { ROLES, type Role } from '../../src/signals/definition.ts'
import type { Finding } from '../../src/signals/finding.ts'
import type { SignalNames } from '../../src/signals/signal-names.ts'
import { SignalParser } from '../../src/signals/signal-parser.ts'
import { AXIOM_SIGNAL_NAMES, SWARM_SIGNAL_NAMES } from '../../src/vocabulary/signal-names.ts'
import { generateMessage, Random } from './generate.ts'
import { consultOracle, type OracleFinding } from './oracle.ts'

export interface Difference {
  readonly input: number
  readonly seed: number
  readonly against: 'oracle' | 'chunking'
  readonly messages: readonly string[]
  readonly expected: readonly string[]
  readonly actual: readonly string[]
}

export interface FuzzResult {
  readonly differences: readonly Difference[]
  /** So that a run in which nothing was ever found cannot pass for a good one. */
  readonly signals: number
  readonly problems: number
}

/** Inputs around the bounds of a line cost a thousand times as much, so they come once in this many. */
const LARGE_EVERY = 50_000
const DIFFERENCES_MAX = 5

interface Speaker {
  readonly names: SignalNames
  readonly role: Role | undefined
  readonly task: string | undefined
}

/** Reads generated inputs whole, in pieces, and with the oracle, and reports where the three disagree. */
export function fuzzSignals(seed: number, inputs: number): FuzzResult {
  const differences: Difference[] = []
  let signals = 0
  let problems = 0
  for (let input = 0; input < inputs && differences.length < DIFFERENCES_MAX; input += 1) {
    const random = new Random(seed * 1_000_003 + input)
    const isLarge = input % LARGE_EVERY === LARGE_EVERY - 1
    const messages = Array.from({ length: random.chance(12) ? 2 : 1 }, () => generateMessage(random, isLarge))
    const speaker: Speaker = {
      names: random.chance(85) ? AXIOM_SIGNAL_NAMES : SWARM_SIGNAL_NAMES,
      role: random.chance(25) ? random.pick(ROLES) : undefined,
      task: random.chance(25) ? 'task-1' : undefined,
    }
    const whole = readWhole(messages, speaker)
    const pieces = readInPieces(messages, speaker, random)
    const expected = consultOracle(messages, {
      ...speaker,
      tag: speaker.names.tag,
      spoken: speaker.names.names,
    })
    for (const { kind } of whole) if (kind === 'signal') signals += 1
    problems = problems + whole.length
    const told = (against: Difference['against'], want: readonly string[], got: readonly string[]) => {
      const texts = messages.map((message) => Buffer.from(message).toString('latin1'))
      differences.push({ input, seed, against, messages: texts, expected: want, actual: got })
    }
    const inOneGo = whole.map(describe)
    const actual = inOneGo.toSorted()
    const wanted = expected.length === 0 ? [] : expected.map(describeExpected).sort()
    if (!isEqual(wanted, actual)) told('oracle', wanted, actual)
    if (whole.length > 0 || pieces.length > 0) {
      const inMany = pieces.map(describe)
      if (!isEqual(inOneGo, inMany)) told('chunking', inOneGo, inMany)
    }
  }
  return { differences, signals, problems: problems - signals }
}

function readWhole(messages: readonly Uint8Array[], speaker: Speaker): Finding[] {
  const parser = new SignalParser(speaker)
  const findings: Finding[] = []
  for (const [i, message] of messages.entries()) {
    findings.push(...parser.feed(message))
    if (i < messages.length - 1) findings.push(...parser.endMessage())
  }
  findings.push(...parser.end())
  return findings
}

function readInPieces(messages: readonly Uint8Array[], speaker: Speaker, random: Random): Finding[] {
  const parser = new SignalParser(speaker)
  const findings: Finding[] = []
  const pieceMax = random.pick([1, 4, 16, 16, 40, 40, 70_000])
  for (const [i, message] of messages.entries()) {
    for (let at = 0; at < message.length; ) {
      const size = message.length > 10_000 ? 1 + random.below(60_000) : 1 + random.below(pieceMax)
      for (const finding of parser.feed(message.subarray(at, at + size))) findings.push(finding)
      at += size
    }
    if (i < messages.length - 1) findings.push(...parser.endMessage())
  }
  findings.push(...parser.end())
  return findings
}

function describe(finding: Finding): string {
  const { message, line } = finding
  if (finding.kind === 'problem') {
    return [message, line, 'problem', finding.code, finding.raw, finding.type ?? ''].join('\u0000')
  }
  const { notation, type, name, payload, task, body } = finding
  return [
    message,
    line,
    'signal',
    notation,
    type,
    name,
    payload ?? '',
    task ?? '',
    JSON.stringify(body),
  ].join('\u0000')
}

function describeExpected({ message, line, what }: OracleFinding): string {
  return [message, line, what].join('\u0000')
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i])
}
