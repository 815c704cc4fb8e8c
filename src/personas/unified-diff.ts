/** Lines of context around a change. */
const CONTEXT_LINES = 3
/** Above this many table cells two files are shown as fully replaced; defaults are a few hundred lines. */
const CELLS_MAX = 4_000_000

type Line = { readonly mark: ' ' | '-' | '+'; readonly text: string }

/** A unified diff of two texts, empty when they are the same. */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return ''
  const shown = hunks(compareLines(splitLines(before), splitLines(after)))
  const body = shown.length > 0 ? shown : ['\\ only the line break at the end differs']
  return [`--- ${path}`, `+++ ${path}`, ...body].join('\n')
}

function splitLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function compareLines(before: readonly string[], after: readonly string[]): Line[] {
  if (before.length * after.length > CELLS_MAX) {
    return [
      ...before.map((text) => ({ mark: '-', text }) as const),
      ...after.map((text) => ({ mark: '+', text }) as const),
    ]
  }
  const width = after.length + 1
  const common = new Uint32Array((before.length + 1) * width)
  const cell = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        before[i] === after[j] ? cell(i + 1, j + 1) + 1 : Math.max(cell(i + 1, j), cell(i, j + 1))
    }
  }
  return walk(before, after, cell)
}

function walk(
  before: readonly string[],
  after: readonly string[],
  cell: (i: number, j: number) => number,
): Line[] {
  const lines: Line[] = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    const old = before[i]
    const new_ = after[j]
    if (old !== undefined && old === new_) {
      lines.push({ mark: ' ', text: old })
      i += 1
      j += 1
    } else if (old !== undefined && (new_ === undefined || cell(i + 1, j) >= cell(i, j + 1))) {
      lines.push({ mark: '-', text: old })
      i += 1
    } else {
      lines.push({ mark: '+', text: new_ ?? '' })
      j += 1
    }
  }
  return lines
}

function hunks(lines: readonly Line[]): string[] {
  const near = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1).some(({ mark }) => mark !== ' '),
  )
  const output: string[] = []
  let oldLine = 1
  let newLine = 1
  for (let at = 0; at < lines.length; ) {
    const end = near.indexOf(!near[at], at)
    const run = lines.slice(at, end < 0 ? lines.length : end)
    const olds = run.filter(({ mark }) => mark !== '+').length
    const news = run.filter(({ mark }) => mark !== '-').length
    if (near[at]) {
      output.push(`@@ -${range(oldLine, olds)} +${range(newLine, news)} @@`)
      output.push(...run.map(({ mark, text }) => `${mark}${text}`))
    }
    oldLine += olds
    newLine += news
    at += run.length
  }
  return output
}

/** Diff tools count from the line before when a side is empty. */
function range(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`
}
