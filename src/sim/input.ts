import type { Readable } from 'node:stream'

const LINE_CHARACTERS_MAX = 64 * 1024 * 1024

export async function readAll(input: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of input) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

export async function readLines(input: Readable, take: (line: string) => void): Promise<void> {
  let rest = ''
  input.setEncoding('utf8')
  for await (const chunk of input) {
    const lines = (rest + String(chunk)).split('\n')
    rest = (lines.pop() ?? '').slice(0, LINE_CHARACTERS_MAX)
    for (const line of lines) take(line)
  }
  if (rest !== '') take(rest)
}
