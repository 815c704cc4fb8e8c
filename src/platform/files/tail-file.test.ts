import { appendFile, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findTail, followFile, readRange } from './tail-file.ts'

let folder = ''
let path = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'axiom-tail-'))
  path = join(folder, 'log')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function textFrom(from: number, to = Number.POSITIVE_INFINITY): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of readRange(path, from, to)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('the tail of a file', () => {
  it('is its last lines, whatever their length and however the file ends', async () => {
    const line = fc.oneof(fc.constant(''), fc.string({ maxLength: 5 }), fc.constant('x'.repeat(70_000)))
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          line.map((text) => text.replaceAll('\n', '')),
          { maxLength: 6 },
        ),
        fc.boolean(),
        fc.integer({ min: 0, max: 8 }),
        async (lines, endsWithFeed, count) => {
          await writeFile(path, lines.join('\n') + (endsWithFeed && lines.length > 0 ? '\n' : ''))
          const text = await textFrom(0)
          const whole = text.endsWith('\n') ? text.slice(0, -1).split('\n') : text.split('\n')
          const expected =
            count === 0 ? '' : whole.slice(-count).join('\n') + (text.endsWith('\n') ? '\n' : '')
          expect(await textFrom(await findTail(path, count))).toBe(expected)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('can be any range of bytes', async () => {
    await writeFile(path, '0123456789')
    expect(await textFrom(3, 7)).toBe('3456')
    expect(await textFrom(8, 99)).toBe('89')
    expect(await textFrom(99)).toBe('')
  })

  it('is not that of whatever a link leads to', async () => {
    await symlink('/etc/passwd', path)
    await expect(textFrom(0)).rejects.toThrow('ELOOP')
  })
})

it('follows a file that is not there yet, grows, is rotated and cut, and ends when asked', async () => {
  const stop = new AbortController()
  let seen = ''
  const following = (async () => {
    for await (const chunk of followFile(path, 0, stop.signal)) seen += chunk.toString()
  })()
  const until = async (text: string): Promise<void> => {
    while (!seen.endsWith(text)) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await writeFile(path, 'one\n')
  await until('one\n')
  await appendFile(path, 'two\n')
  await until('two\n')
  await rename(path, `${path}.1`)
  await writeFile(path, 'three\n')
  await until('three\n')
  await writeFile(path, 'x\n')
  await until('x\n')
  stop.abort()
  await following
  expect(seen).toBe('one\ntwo\nthree\nx\n')
})
