import type { Role } from '../../src/signals/definition.ts'
import { readBody } from '../../src/signals/read-body.ts'
import type { SignalName } from '../../src/signals/registry.ts'

/**
 * A second reader of signals, written from the rules and not from the parser: whole texts, strings and regular
 * expressions, no care for speed or memory. It shares only the grammar of bodies, which has tables of its own.
 */
export interface OracleOptions {
  readonly tag: string
  readonly spoken: Readonly<Record<string, string>>
  readonly role: Role | undefined
  readonly task: string | undefined
}

export interface OracleFinding {
  readonly what: string
  readonly message: number
  readonly line: number
}

const LINE_MAX = 65_536
const ALL =
  'developer critic auditor resolver planner analyst remediator health-auditor expert lead onboarding curator director'
const BASE = 'developer auditor analyst remediator health-auditor'

/** canonical name → rule, senders, verdict or remark */
const TAGS: Record<string, [rule: '-' | '?' | 'text' | '%', senders: string, isVerdict: boolean]> = {
  COMPLETE: ['-', 'developer', true],
  BLOCKED: ['text', 'developer resolver planner analyst remediator onboarding', true],
  PENDING: ['text', ALL, true],
  PROGRESS: ['%', ALL, false],
  RESOLVED: ['-', 'resolver', true],
  DISCOVERY_LOCAL: ['text', ALL, false],
  DISCOVERY_GLOBAL: ['text', ALL, false],
  AVA_COMPLETE: ['-', 'onboarding', true],
  PHASE_COMPLETE: ['?', 'planner', true],
}

const LINES: Record<string, [argument: 'task' | 'id' | 'path' | '', senders: string, isVerdict: boolean]> = {
  READY_FOR_REVIEW: ['task', 'developer', true],
  TASK_INCOMPLETE: ['task', 'developer', true],
  INFRA_BLOCKED: ['task', 'developer', true],
  REVIEW_PASSED: ['task', 'critic', true],
  REVIEW_FAILED: ['task', 'critic', true],
  AUDIT_PASSED: ['task', 'auditor', true],
  AUDIT_FAILED: ['task', 'auditor', true],
  AUDIT_BLOCKED: ['task', 'auditor', true],
  EXPANDED_TASK_SPECIFICATION: ['task', 'analyst', true],
  REMEDIATION_COMPLETE: ['', 'remediator', true],
  'HEALTH_AUDIT: HEALTHY': ['', 'health-auditor', true],
  'HEALTH_AUDIT: UNHEALTHY': ['', 'health-auditor', true],
  SEEKING_DIVINE_CLARIFICATION: ['', BASE, true],
  EXPERT_REQUEST: ['', BASE, true],
  EXPERT_ADVICE: ['id', 'expert', true],
  EXPERT_UNSUCCESSFUL: ['id', 'expert', true],
  EXPERT_CREATED: ['id', 'director', true],
  'FILE CONFLICT': ['path', 'developer remediator resolver', true],
  CHECKPOINT: ['task', ALL, false],
}

const LINE_RULES = Object.entries(LINES)

interface Line {
  readonly text: string
  readonly isCut: boolean
  readonly size: number
  readonly number: number
}

interface Heard {
  readonly line: Line
  /** Own speech with a mask of code characters; anything else has none. */
  readonly mask: readonly boolean[] | null
  readonly kind: 'speech' | 'blank' | 'quote' | 'fence' | 'code'
}

export function consultOracle(messages: readonly Uint8Array[], options: OracleOptions): OracleFinding[] {
  const findings: OracleFinding[] = []
  let held: Verdict[] = []
  for (const [index, bytes] of messages.entries()) {
    const lines = splitLines(bytes)
    const reading = readMessage(hear(lines), options, index)
    findings.push(...reading.remarks)
    if (!lines.some(({ text }) => /[^ \t\r]/.test(text))) continue
    for (const { raw, type, line, message } of held)
      findings.push(fault('SIGNAL_NOT_LAST', raw, type, message, line))
    held = reading.verdicts
  }
  findings.push(...held.map(({ finding }) => finding))
  return limitRepeats(findings)
}

interface Verdict {
  readonly finding: OracleFinding
  readonly raw: string
  readonly type: string
  readonly message: number
  readonly line: number
}

function limitRepeats(findings: OracleFinding[]): OracleFinding[] {
  const seen: Record<string, number> = {}
  return findings
    .sort((a, b) => a.message - b.message || a.line - b.line)
    .filter(({ what }) => {
      if (!what.startsWith('problem')) return true
      const key = what.split('\u0000').slice(0, 3).join()
      seen[key] = (seen[key] ?? 0) + 1
      return seen[key] <= 3
    })
}

// ---- lines -------------------------------------------------------------------------------------------------------

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function splitLines(bytes: Uint8Array): Line[] {
  const lines: Line[] = []
  let start = 0
  while (start < bytes.length) {
    let end = start
    while (end < bytes.length && bytes[end] !== 10) end += 1
    const isCut = end - start > LINE_MAX
    const raw = bytes.slice(start, isCut ? start + LINE_MAX : end)
    let text = decoder.decode(raw)
    if (lines.length === 0) text = text.replace(/^\ufeff/, '')
    lines.push({
      text: withoutTerminal(text).replace(/\r+$/, ''),
      isCut,
      size: raw.length,
      number: lines.length + 1,
    })
    start = end + 1
  }
  return lines
}

/** A little terminal that prints only what it would show. */
function withoutTerminal(text: string): string {
  if (!text.includes('\u001b')) return text
  let shown = ''
  let at = 0
  while (at < text.length) {
    if (text[at] !== '\u001b') {
      shown += text[at]
      at += 1
      continue
    }
    at += 1
    const kind = text[at] ?? ''
    if (kind === '[') {
      at += 1
      while (at < text.length && text[at]! >= '0' && text[at]! <= '?') at += 1
      while (at < text.length && text[at]! >= ' ' && text[at]! <= '/') at += 1
      if (at < text.length && text[at]! >= '@' && text[at]! <= '~') at += 1
    } else if (kind !== '' && ']PX^_'.includes(kind)) {
      while (at < text.length && text[at] !== '\u0007' && text[at] !== '\u001b') at += 1
      if (text[at] === '\u0007') at += 1
      else if (text.startsWith('\u001b\\', at)) at += 2
    } else {
      while (at < text.length && text[at]! >= ' ' && text[at]! <= '/') at += 1
      if (at < text.length && text[at]! >= '0' && text[at]! <= '~') at += 1
    }
  }
  return shown
}

const LIST_MARKER = /^(?:[-*+]|[0-9]{1,9}[.)])(?: {1,4}|\t|\r|$)/

/** Marks each line as speech or not, and the code spans of each paragraph. */
function hear(lines: readonly Line[]): Heard[] {
  const heard: Heard[] = []
  let paragraph: Line[] = []
  let size = 0
  let fence: { mark: string; column: number } | null = null
  const close = () => {
    const mask = codeMask(paragraph.map(({ text }) => text).join('\n'))
    let offset = 0
    for (const line of paragraph) {
      heard.push({ line, mask: mask.slice(offset, offset + line.text.length + 1), kind: 'speech' })
      offset += line.text.length + 1
    }
    paragraph = []
    size = 0
  }
  for (const line of lines) {
    if (fence !== null) {
      const closing = new RegExp(
        `^ {0,${fence.column + 3}}${fence.mark[0]}{${fence.mark.length},}[ \\t\\r]*$`,
      )
      const isEnd = closing.test(line.text)
      heard.push({ line, mask: null, kind: isEnd ? 'fence' : 'code' })
      if (isEnd) fence = null
      continue
    }
    const opened = openFence(line.text)
    const isBlank = /^[ \t\r]*$/.test(line.text)
    const isQuote = /^ {0,3}>/.test(line.text)
    if (opened !== null || isBlank || isQuote) {
      close()
      fence = opened
      heard.push({ line, mask: null, kind: opened !== null ? 'fence' : isBlank ? 'blank' : 'quote' })
      continue
    }
    const isAlone = isSingle(line.text)
    const bare = line.text.replace(/^ {0,3}(?! )/, '')
    if (isAlone || line.isCut || size + line.size > 65_536 || (bare[0] !== ' ' && LIST_MARKER.test(bare)))
      close()
    paragraph.push(line)
    size += line.size + 1
    if (isAlone || line.isCut) close()
  }
  close()
  return heard
}

function isSingle(text: string): boolean {
  return (
    /^ {0,3}#{1,6}(?:[ \t\r]|$)/.test(text) ||
    /^ {0,3}(?:-[-\t\r ]*|=[=\t\r ]*|(?:\*[\t\r ]*){3,}|(?:_[\t\r ]*){3,})$/.test(text)
  )
}

function openFence(text: string): { mark: string; column: number } | null {
  const indent = /^ */.exec(text)![0].length
  if (indent > 3 || isSingle(text)) return null
  let rest = text.slice(indent)
  for (let marker = LIST_MARKER.exec(rest); marker !== null; marker = LIST_MARKER.exec(rest))
    rest = rest.slice(marker[0].length)
  const mark = /^(?:`{3,}(?!.*`)|~{3,})/s.exec(rest)?.[0]
  return mark === undefined ? null : { mark, column: text.length - rest.length }
}

/** One flag per character: does it lie in an inline code span? */
function codeMask(text: string): boolean[] {
  const mask = new Array<boolean>(text.length).fill(false)
  const runs = [...text.matchAll(/`+/g)].map((run) => ({ at: run.index, length: run[0].length }))
  if (runs.length === 0) return mask
  let at = 0
  let passed = 0
  while (at < text.length) {
    if (text[at] === '\\') at += 2
    else if (text[at] === '`') {
      let length = 0
      while (text[at + length] === '`') length += 1
      while (passed < runs.length && runs[passed]!.at < at + length) passed += 1
      let match = passed
      while (match < runs.length && runs[match]!.length !== length) match += 1
      const closer = runs[match]
      const end = closer === undefined ? at : closer.at + length
      mask.fill(true, at, end)
      at = Math.max(end, at + length)
    } else at += 1
  }
  return mask
}

// ---- signals -----------------------------------------------------------------------------------------------------

function fault(code: string, raw: string, type: string | null, message: number, line: number): OracleFinding {
  const trimmed = raw.trim()
  const short = trimmed.length > 300 ? `${trimmed.slice(0, 300)}…` : trimmed
  return { what: ['problem', code, show(short), type ?? ''].join('\u0000'), message, line }
}

function show(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  return [...text]
    .map((character) => {
      const point = character.codePointAt(0)!
      const isControl = (point < 32 && point !== 9 && point !== 10) || (point >= 127 && point < 160)
      const isBidi = (point >= 0x202a && point <= 0x202e) || (point >= 0x2060 && point <= 0x2069)
      const isZero = [0x61c, 0x200b, 0x200e, 0x200f, 0xfeff].includes(point)
      return isControl || isBidi || isZero
        ? `[U+${point.toString(16).toUpperCase().padStart(4, '0')}]`
        : character
    })
    .join('')
}

interface Reading {
  readonly remarks: OracleFinding[]
  readonly verdicts: Verdict[]
}

function readMessage(heard: readonly Heard[], options: OracleOptions, message: number): Reading {
  const remarks: OracleFinding[] = []
  const verdicts: Verdict[] = []
  let open: {
    name: string
    rest: string
    id: string
    line: number
    body: { kind: Heard['kind']; text: string }[]
    size: number
  } | null = null
  let isPrompt = false

  const accept = (
    name: string,
    senders: string,
    isVerdict: boolean,
    notation: string,
    payload: string,
    task: string,
    body: unknown,
    raw: string,
    line: number,
  ) => {
    const type = options.spoken[name] ?? name
    if (options.role !== undefined && !senders.split(' ').includes(options.role)) {
      remarks.push(fault('SIGNAL_WRONG_SENDER', raw, type, message, line))
    } else if (options.task !== undefined && task !== '' && task !== options.task) {
      remarks.push(fault('SIGNAL_FOREIGN_TASK', raw, type, message, line))
    } else {
      const what = [
        'signal',
        notation,
        type,
        name,
        payload,
        task || (options.task ?? ''),
        JSON.stringify(body),
      ].join('\u0000')
      const finding = { what, message, line }
      if (isVerdict) verdicts.push({ finding, raw, type, message, line })
      else remarks.push(finding)
    }
  }
  const finish = () => {
    if (open === null) return
    const { name, rest, id, line, body } = open
    const [argument, senders, isVerdict] = LINES[name]!
    const fields = readBody(name as SignalName, body)
    const named = typeof fields.task === 'string' ? (fields.task.split(/\s/)[0] ?? '') : ''
    const task = argument === 'task' ? id : named
    accept(
      name,
      senders,
      isVerdict,
      'line',
      show(rest),
      task,
      fields,
      rest === '' ? name : `${name}: ${show(rest)}`,
      line,
    )
    open = null
  }

  for (const { line, mask, kind } of heard) {
    const keep = () => {
      if (open === null || open.size >= 65_536) return
      open.body.push({ kind, text: line.text.slice(0, 65_536 - open.size) })
      open.size += line.text.length + 1
    }
    if (mask === null || line.isCut) {
      keep()
      continue
    }
    if (isPrompt) {
      if (line.text.trim() === '---DELEGATION PROMPT END---') isPrompt = false
      keep()
      continue
    }
    const isCodeStart = mask[0] === true
    const head = isCodeStart ? null : readHead(line.text)
    if (head !== null) {
      finish()
      open = { ...head, line: line.number, body: [], size: 0 }
      continue
    }
    if (open?.name === 'EXPERT_REQUEST' && line.text.trim() === '---DELEGATION PROMPT START---') {
      isPrompt = true
      keep()
      continue
    }
    const marker = isCodeStart ? null : /^\[(AGENT_STATUS|AGENT_REGISTERED)\](.*)$/s.exec(line.text)
    if (marker !== null) {
      const [, name = '', rest = ''] = marker
      const verdict = judgeMarker(name, rest.trim())
      if (typeof verdict === 'string') remarks.push(fault(verdict, line.text, name, message, line.number))
      else accept(name, 'lead', false, 'marker', rest.trim(), '', verdict.body, line.text, line.number)
      continue
    }
    const { tags, isAlone, isVerdict: isSaid } = readTagsOf(line.text, mask, options)
    for (const tag of tags) {
      if ('code' in tag) remarks.push(fault(tag.code, tag.raw, tag.type, message, line.number))
      else {
        const [, senders, isVerdict] = TAGS[tag.name]!
        if (isVerdict && !isSaid)
          remarks.push(fault('SIGNAL_NOT_ALONE', tag.raw, tag.type, message, line.number))
        else accept(tag.name, senders, isVerdict, 'tag', show(tag.payload), '', null, tag.raw, line.number)
      }
    }
    if (!isAlone) keep()
  }
  finish()
  return { remarks, verdicts }
}

function readHead(text: string): { name: string; rest: string; id: string } | null {
  if (!/^[A-Z]{2}/.test(text)) return null
  const health = /^HEALTH_AUDIT:[ \t]*(HEALTHY|UNHEALTHY)\s*$/.exec(text)
  if (health !== null) return { name: `HEALTH_AUDIT: ${health[1]}`, rest: '', id: '' }
  for (const [name, [argument]] of LINE_RULES) {
    if (argument === '') {
      if (text.trimEnd() === name) return { name, rest: '', id: '' }
    } else if (text.startsWith(`${name}:`)) {
      const rest = text
        .slice(name.length + 1)
        .replace(/^[ \t]*/, '')
        .trimEnd()
      if (rest === '' || /^\s/.test(rest) || rest.length > 4000) return null
      if (argument === 'path')
        return { name, rest: /^`[^`]*`$/.test(rest) ? rest.slice(1, -1) : rest, id: '' }
      let id = rest.split(/\s/)[0]!
      while (id !== '' && '`*_"\''.includes(id[0]!)) id = id.slice(1)
      while (id !== '' && '`*_"\'.,;:'.includes(id.at(-1)!)) id = id.slice(0, -1)
      return id === '' ? null : { name, rest, id: show(id) }
    }
  }
  return null
}

function judgeMarker(name: string, json: string): string | { body: unknown } {
  if (json === '') return 'SIGNAL_MISSING_PAYLOAD'
  const seat = (value: unknown) => typeof value === 'number' && [0, 1, 2, 3, 4, 5, 6, 7, 8].includes(value)
  try {
    const value = JSON.parse(json)
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return 'SIGNAL_INVALID_PAYLOAD'
    if (name === 'AGENT_REGISTERED') {
      const isFine = typeof value.name === 'string' && value.name.trim() !== '' && seat(value.gridPosition)
      return isFine ? { body: value } : 'SIGNAL_INVALID_PAYLOAD'
    }
    const { agents } = value
    if (!Array.isArray(agents) || agents.length > 9) return 'SIGNAL_INVALID_PAYLOAD'
    const body = { agents: agents.map(({ name, status, gridPosition }) => ({ name, status, gridPosition })) }
    const isFine = body.agents.every(
      (agent) =>
        typeof agent.name === 'string' && typeof agent.status === 'string' && seat(agent.gridPosition),
    )
    return isFine ? { body } : 'SIGNAL_INVALID_PAYLOAD'
  } catch {
    return 'SIGNAL_INVALID_PAYLOAD'
  }
}

type OracleTag =
  | { readonly name: string; readonly type: string; readonly payload: string; readonly raw: string }
  | { readonly code: string; readonly type: string | null; readonly raw: string }

/** Walks the line character by character; `raw` pieces and what is left between them decide about standing alone. */
function readTagsOf(
  line: string,
  mask: readonly boolean[],
  options: OracleOptions,
): { tags: OracleTag[]; isAlone: boolean; isVerdict: boolean } {
  const { tag } = options
  const tags: OracleTag[] = []
  if (/^(?: {4}| {0,3}\t)/.test(line) || !/[<[]/.test(line)) return { tags, isAlone: false, isVerdict: false }
  const lower = line.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  const open = `<${tag}>`
  const shut = `</${tag}>`
  let left = ''
  let isClean = true
  let at = 0
  while (at < line.length) {
    if (mask[at] === true) left += line[at++]
    else if (lower.startsWith(open, at)) {
      const close = nextOutside(lower, mask, shut, at + open.length)
      const again = nextOutside(lower, mask, open, at + open.length)
      if (close === -1 || (again !== -1 && again < close)) {
        const end = again === -1 ? line.length : again
        tags.push({ code: 'SIGNAL_MALFORMED', type: null, raw: line.slice(at, end) })
        isClean = false
        at = end
        continue
      }
      const end = close + shut.length
      const judged = judgeTag(
        line.slice(at, at + open.length),
        line.slice(at + open.length, close),
        line.slice(close, end),
        options,
      )
      tags.push({ ...judged, raw: line.slice(at, end) })
      if ('code' in judged && judged.code === 'SIGNAL_MALFORMED') isClean = false
      left += '\u0001'
      at = end
    } else if (lower.startsWith(`[${tag}:`, at)) {
      const bracket = /^\[[a-z]+:[ \t]*([a-z_]+)(?::[^\]]{0,300})?\]/i.exec(line.slice(at, at + 70_000))
      const word = bracket?.[1] ?? ''
      const known = Object.keys(TAGS).map((name) => options.spoken[name] ?? name)
      if (bracket !== null && (known.includes(word.toUpperCase()) || /^[A-Z_]+$/.test(word))) {
        tags.push({ code: 'SIGNAL_MALFORMED', type: null, raw: bracket[0] })
        isClean = false
      }
      left += line[at++]
    } else left += line[at++]
  }
  const around = left.trim().split('\u0001')
  const before = around[0]!.trim()
  const after = around.at(-1)!.trim()
  const isBare = around.length > 1 && around.slice(1, -1).every((part) => part.trim() === '')
  const isAlone =
    isClean && isBare && before === after && ['', '*', '**', '***', '_', '__', '___'].includes(before)
  const isLast = isClean && isBare && after === '' && /[.!?]\s+$/.test(left.slice(0, left.indexOf('\u0001')))
  return { tags, isAlone, isVerdict: isAlone || isLast }
}

function nextOutside(text: string, mask: readonly boolean[], needle: string, from: number): number {
  let at = text.indexOf(needle, from)
  while (at !== -1 && mask[at] === true) at = text.indexOf(needle, at + 1)
  return at
}

function judgeTag(open: string, content: string, shut: string, options: OracleOptions) {
  const colon = content.indexOf(':')
  const type = colon === -1 ? content : content.slice(0, colon)
  const payload = colon === -1 ? '' : content.slice(colon + 1).trim()
  const isWord = type !== '' && /^[A-Za-z0-9_-]*$/.test(type)
  if (open !== `<${options.tag}>` || shut !== `</${options.tag}>`)
    return { code: 'SIGNAL_MALFORMED', type: isWord ? type : null }
  if (!isWord) return { code: 'SIGNAL_MALFORMED', type: null }
  const name = Object.keys(TAGS).find((candidate) => (options.spoken[candidate] ?? candidate) === type)
  if (name === undefined) return { code: 'SIGNAL_UNKNOWN_TYPE', type }
  const rule = TAGS[name]![0]
  if (payload === '' && (rule === 'text' || rule === '%')) return { code: 'SIGNAL_MISSING_PAYLOAD', type }
  if (Array.from(payload).length > 4000) return { code: 'SIGNAL_INVALID_PAYLOAD', type }
  if (rule === '%' && !/^(?:0{0,2}\d|0?\d\d|100)$/.test(payload))
    return { code: 'SIGNAL_INVALID_PAYLOAD', type }
  return { name, type, payload }
}
