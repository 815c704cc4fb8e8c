/** A part of the prompt. Prompts are prose, so every search in them may find nothing. */
export interface Section {
  readonly heading: string
  /** The source of quoted text, empty without a quotation. */
  readonly origin: string
  readonly text: string
}

const ASSIGNMENT = /^# Assignment\b/m
const HEADING = /^#{1,6}\s+(.+?)\s*$/
const FENCE = /^(`{3,})(?:from:\s*)?(.*)$/
const ITEM = /^\s*(?:[-*]|(C?\d+)[.)])\s+(?:\[[ xX]\]\s+)?(.+?)\s*$/

/** The current assignment; the rules before it contain examples that look the same. */
export function assignmentOf(prompt: string): string {
  const start = ASSIGNMENT.exec(prompt)?.index
  return start === undefined ? prompt : prompt.slice(start)
}

/** The sections of the assignment in order. A heading inside a quotation is no heading. */
export function readSections(prompt: string): Section[] {
  const sections: { heading: string; origin: string; lines: string[] }[] = []
  let current = { heading: '', origin: '', lines: [] as string[] }
  let closing = ''
  for (const line of assignmentOf(prompt).split('\n')) {
    const [, bar = '', origin = ''] = FENCE.exec(line) ?? []
    const heading = closing === '' ? HEADING.exec(line)?.[1] : undefined
    if (heading !== undefined) {
      sections.push(current)
      current = { heading, origin: '', lines: [] }
    } else if (closing === '' && bar !== '') {
      closing = bar
      current.origin ||= origin
    } else if (closing !== '' && bar.length >= closing.length && origin === '') closing = ''
    else current.lines.push(line)
  }
  return [...sections, current].map(({ heading, origin, lines }) => ({
    heading,
    origin,
    text: lines.join('\n').trim(),
  }))
}

export function findSection(prompt: string, heading: RegExp): Section | undefined {
  return readSections(prompt).find((section) => heading.test(section.heading))
}

export interface Criterion {
  /** The name in verdicts: the number if it has one, else the text. */
  readonly name: string
  readonly text: string
}

export function readCriteria(prompt: string): Criterion[] {
  return itemsOf(findSection(prompt, /^acceptance criteria/i)).map(({ number, text }) => ({
    name: number.startsWith('C') ? number : text,
    text,
  }))
}

/** The commands of the required checks. */
export function readChecks(prompt: string): string[] {
  return itemsOf(findSection(prompt, /^(?:checks|verification)\b/i))
    .filter(({ text }) => !text.includes('(optional'))
    .flatMap(({ text }) => /`([^`]+)`/.exec(text)?.[1] ?? [])
}

/** The base commit of the review. */
export function readBase(prompt: string): string | undefined {
  return /`git diff ([0-9a-f]{4,64})\.\./.exec(assignmentOf(prompt))?.[1]
}

const ITEMS_MAX = 100

export function itemsOf(section: Section | undefined): { number: string; text: string }[] {
  return (section?.text.split('\n') ?? [])
    .flatMap((line) => {
      const [, number = '', text] = ITEM.exec(line) ?? []
      return text === undefined ? [] : [{ number, text }]
    })
    .slice(0, ITEMS_MAX)
}

const SENTENCE_CHARACTERS_MAX = 200

/** One line to refer to: the first that has content. */
export function firstLine(text: string): string {
  const line = text.split('\n').find((candidate) => /\w/.test(candidate) && !HEADING.test(candidate))
  return (line ?? 'the work')
    .replace(/^[\s>*-]+/, '')
    .slice(0, SENTENCE_CHARACTERS_MAX)
    .trim()
}

/** What the work is about, in one line. */
export function readSubject(prompt: string, heading: RegExp): string {
  return firstLine(findSection(prompt, heading)?.text || assignmentOf(prompt))
}
