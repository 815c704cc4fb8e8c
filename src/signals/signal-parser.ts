import { rawOf } from './clean-text.ts'
import { type CodeTest, findCodeSpans } from './code-spans.ts'
import type { Role } from './definition.ts'
import type { Finding, Problem, Signal } from './finding.ts'
import { FindingLedger } from './finding-ledger.ts'
import { BODY_CHARACTERS_MAX } from './limits.ts'
import type { ProblemCode } from './problem-code.ts'
import { type BodyLine, promptEdges, readBody } from './read-body.ts'
import { LINE_NAMES, type LineHead, readLineHead } from './read-line-signal.ts'
import { MARKER_NAMES, readMarker } from './read-marker.ts'
import { createTagReader, type TagReader, type TagReading } from './read-tags.ts'
import { allows, definitionOf, type SignalName } from './registry.ts'
import { type SignalNames, spokenName } from './signal-names.ts'
import { type AsideKind, type Block, type Cues, makeCues, SpeechScanner } from './speech-scanner.ts'

export interface ParserOptions {
  readonly names: SignalNames
  /** Who speaks; without it nothing is refused for its sender. */
  readonly role?: Role | undefined
  /** What the sender works on; without it nothing is refused for its task. */
  readonly task?: string | undefined
}

interface OpenBody {
  readonly head: LineHead
  readonly line: number
  readonly lines: BodyLine[]
  characters: number
}

interface Grammar {
  readonly readTags: TagReader
  readonly cues: Cues
}

const encoder = new TextEncoder()
/** A vocabulary lives as long as the program, its parsers for one iteration. */
const grammars = new WeakMap<SignalNames, Grammar>()

function grammarOf(names: SignalNames): Grammar {
  const known = grammars.get(names)
  if (known !== undefined) return known
  const grammar = {
    readTags: createTagReader(names),
    cues: makeCues([names.tag, ...MARKER_NAMES], LINE_NAMES),
  }
  grammars.set(names, grammar)
  return grammar
}

/**
 * Reads one iteration of an agent as it arrives: `feed` any pieces of a message, `endMessage` where one ends, `end`
 * at the end of the iteration. Each call returns what has become certain by it; verdicts wait for `end`, because
 * only the last message counts. Never throws, whatever it is fed.
 */
export class SignalParser {
  readonly #options: ParserOptions
  readonly #scanner: SpeechScanner
  readonly #readTags: TagReader
  readonly #ledger = new FindingLedger()
  #message = 0
  #body: OpenBody | null = null
  /** Between the edges of a prompt for an expert: the line that ends it. */
  #promptEnd: string | null = null
  /** First half of a character that a string chunk cut in two. */
  #half = ''

  constructor(options: ParserOptions) {
    const { readTags, cues } = grammarOf(options.names)
    this.#options = options
    this.#readTags = readTags
    this.#scanner = new SpeechScanner(cues, {
      wantsEverything: () => this.#promptEnd !== null || (this.#body !== null && !isFull(this.#body)),
      hearBlock: (block) => this.#hearBlock(block),
      hearAside: (kind, text) => this.#keep(kind, text),
    })
  }

  feed(chunk: Uint8Array | string): Finding[] {
    this.#scanner.feed(typeof chunk === 'string' ? this.#encode(chunk) : chunk)
    return this.#ledger.take()
  }

  endMessage(): Finding[] {
    if (this.#half !== '') this.#scanner.feed(encoder.encode(this.#half))
    this.#half = ''
    const hasSpoken = this.#scanner.endMessage()
    this.#promptEnd = null
    this.#closeBody()
    if (hasSpoken) this.#ledger.endMessage()
    this.#message += 1
    return this.#ledger.take()
  }

  end(): Finding[] {
    const findings = this.endMessage()
    this.#ledger.endIteration()
    return [...findings, ...this.#ledger.take()]
  }

  #encode(chunk: string): Uint8Array {
    const text = this.#half + chunk
    const last = text.charCodeAt(text.length - 1)
    this.#half = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : ''
    return encoder.encode(this.#half === '' ? text : text.slice(0, -1))
  }

  #hearBlock({ lines, firstLine, isCut }: Block): void {
    const isCode = findCodeSpans(lines)
    let offset = 0
    for (const [i, line] of lines.entries()) {
      if (isCut) this.#keep('speech', line)
      else this.#hearLine(line, firstLine + i, isCode, offset)
      offset += line.length + 1
    }
  }

  #hearLine(line: string, number: number, isCode: CodeTest, offset: number): void {
    if (this.#promptEnd !== null) {
      if (line.trim() === this.#promptEnd) this.#promptEnd = null
      this.#keep('speech', line)
      return
    }
    const isCodeStart = isCode(offset)
    const head = isCodeStart ? null : readLineHead(line)
    if (head !== null) {
      this.#closeBody()
      this.#body = { head, line: number, lines: [], characters: 0 }
      return
    }
    if (this.#hearPromptStart(line)) return
    if (!isCodeStart && this.#hearMarker(line, number)) return
    const { readings, isAlone, isVerdict } = this.#readTags(line, isCode, offset)
    for (const reading of readings) this.#hearTag(reading, number, isVerdict)
    if (!isAlone) this.#keep('speech', line)
  }

  #hearPromptStart(line: string): boolean {
    const edges = this.#body === null ? null : promptEdges(this.#body.head.name)
    if (edges === null || line.trim() !== edges.start) return false
    this.#promptEnd = edges.end
    this.#keep('speech', line)
    return true
  }

  #hearMarker(line: string, number: number): boolean {
    const marker = readMarker(line)
    if (marker === null) return false
    if (marker.kind === 'fault') this.#fault(marker.code, marker.raw, marker.type, marker.reason, number)
    else this.#accept(marker.name, marker.payload, null, marker.body, line, number)
    return true
  }

  #hearTag(reading: TagReading, number: number, isVerdict: boolean): void {
    if (reading.kind === 'fault') {
      this.#fault(reading.code, reading.raw, reading.type, reading.reason, number)
    } else if (!isVerdict && definitionOf(reading.name)?.counts === 'last-message') {
      this.#fault(
        'SIGNAL_NOT_ALONE',
        reading.raw,
        reading.type,
        'a verdict stands alone on its line, or behind a sentence that has ended',
        number,
      )
    } else this.#accept(reading.name, reading.payload, null, null, reading.raw, number)
  }

  #keep(kind: BodyLine['kind'] | AsideKind, text: string): void {
    const body = this.#body
    if (body === null || isFull(body)) return
    const room = BODY_CHARACTERS_MAX - body.characters
    body.lines.push({ kind, text: text.slice(0, room) })
    body.characters += text.length + 1
  }

  #closeBody(): void {
    const open = this.#body
    this.#body = null
    if (open === null) return
    const { head, line, lines } = open
    const body = readBody(head.name, lines)
    const isTask = definitionOf(head.name)?.payloadHint === 'task id'
    const task = isTask ? head.id : typeof body.task === 'string' ? (body.task.split(/\s/)[0] ?? null) : null
    const payload = head.payload === null ? '' : `: ${head.payload}`
    const raw = `${head.name}${payload}`
    this.#accept(head.name, head.payload, task, body, raw, line)
  }

  #accept(
    name: SignalName,
    payload: string | null,
    task: string | null,
    body: unknown,
    raw: string,
    line: number,
  ): void {
    const definition = definitionOf(name)
    if (definition === undefined) return
    const type = spokenName(this.#options.names, name)
    const { role, task: own } = this.#options
    if (role !== undefined && !allows(definition, role)) {
      this.#fault('SIGNAL_WRONG_SENDER', raw, type, `${role} may not send ${type}`, line)
    } else if (own !== undefined && task !== null && task !== own) {
      this.#fault('SIGNAL_FOREIGN_TASK', raw, type, `${task} is not the sender's task, ${own} is`, line)
    } else {
      const { notation, handler, counts } = definition
      const place = { message: this.#message, line }
      // The body was read by this name's grammar, which the type system cannot follow through the table.
      const signal = {
        kind: 'signal',
        notation,
        type,
        name,
        payload,
        task: task ?? own ?? null,
        body,
        handler,
        ...place,
      }
      this.#ledger.addSignal(signal as Signal, counts, rawOf(raw))
    }
  }

  #fault(code: ProblemCode, raw: string, type: string | null, reason: string, line: number): void {
    const problem: Problem = {
      kind: 'problem',
      code,
      raw: rawOf(raw),
      type,
      reason,
      message: this.#message,
      line,
    }
    this.#ledger.addProblem(problem)
  }
}

export interface Reading {
  readonly signals: readonly Signal[]
  readonly problems: readonly Problem[]
}

/** Reads a whole iteration that lies in memory, one text per message; findings come in the order of the text. */
export function parseSignals(messages: readonly (Uint8Array | string)[], options: ParserOptions): Reading {
  const parser = new SignalParser(options)
  const findings: Finding[] = []
  for (const [i, message] of messages.entries()) {
    findings.push(...parser.feed(message))
    if (i < messages.length - 1) findings.push(...parser.endMessage())
  }
  findings.push(...parser.end())
  const ordered = inOrder(findings)
  return {
    signals: ordered.filter((finding) => finding.kind === 'signal'),
    problems: ordered.filter((finding) => finding.kind === 'problem'),
  }
}

export function inOrder(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => a.message - b.message || a.line - b.line)
}

function isFull(body: OpenBody): boolean {
  return body.characters >= BODY_CHARACTERS_MAX
}
