import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { complexReason } from './classify-conflict.ts'
import type { CandidateGround } from './entry.ts'
import { MARKER_SIZE, type MergeRule, settleMarked } from './merge-rules.ts'
import type { Conflict, ConflictFile } from './merge-trees.ts'

export interface ResolvedFile {
  readonly path: string
  readonly rules: readonly MergeRule[]
}

const FILE_BYTES_MAX = 512 * 1024
const MARKER = new RegExp(`^([<|=>])\\1{${MARKER_SIZE - 1}}`, 'm')

/**
 * Settles a conflict by rules, completely or not at all. The result is a guess that has to pass the checks.
 */
export async function resolveSimple(
  ground: CandidateGround,
  conflict: Conflict,
): Promise<{ readonly tree: string; readonly files: readonly ResolvedFile[] } | undefined> {
  if (complexReason(conflict) !== undefined) return undefined
  const merged: { file: ConflictFile; text: string; rules: readonly MergeRule[] }[] = []
  for (const file of conflict.files) {
    const outcome = await settleFile(ground, file)
    if (outcome === undefined) return undefined
    merged.push({ file, ...outcome })
  }
  const lines: string[] = []
  for (const { file, text } of merged) {
    const words = ['hash-object', '-w', '--no-filters', '--stdin']
    const object = await ground.git.text(ground.repository, words, { input: text })
    lines.push(`${file.stages[0]?.mode} ${object}\t${file.path}\0`)
  }
  const tree = await replaceInTree(ground, conflict.tree, lines)
  return { tree, files: merged.map(({ file, rules }) => ({ path: file.path, rules })) }
}

/** Reads how far rules can settle the contents, for the class of the conflict. */
export async function readContents(
  ground: CandidateGround,
  conflict: Conflict,
): Promise<'settled-by-rules' | 'text' | 'binary' | 'large'> {
  for (const file of conflict.files) {
    for (const { object } of file.stages) {
      const text = await readText(ground, object)
      if (text === 'large' || text === 'binary') return text
    }
  }
  return (await resolveSimple(ground, conflict)) === undefined ? 'text' : 'settled-by-rules'
}

async function settleFile(ground: CandidateGround, file: ConflictFile) {
  const texts: string[] = []
  for (const wanted of [2, 1, 3]) {
    const found = file.stages.find(({ stage }) => stage === wanted)
    const text = found === undefined ? { text: '' } : await readText(ground, found.object)
    if (text === 'large' || text === 'binary' || !isPlain(text.text)) return undefined
    texts.push(text.text)
  }
  const settled = settleMarked(file.path, await mergeMarked(ground, texts))
  // Two new files with one name are two different things, even when they share no line.
  const isNew = !file.stages.some(({ stage }) => stage === 1)
  return isNew && settled?.rules.includes('both-add') ? undefined : settled
}

/** With other line ends than `\n` the boundaries of hunks would be a guess. */
function isPlain(text: string): boolean {
  return !text.includes('\r') && (text === '' || text.endsWith('\n')) && !MARKER.test(text)
}

type Text = { readonly text: string } | 'large' | 'binary'

async function readText(ground: CandidateGround, object: string): Promise<Text> {
  const size = Number(await ground.git.text(ground.repository, ['cat-file', '-s', object]))
  if (size > FILE_BYTES_MAX) return 'large'
  const bytes = (await ground.git.run(ground.repository, ['cat-file', 'blob', object])).stdout
  const text = bytes.toString('utf8')
  return bytes.includes(0) || !Buffer.from(text).equals(bytes) ? 'binary' : { text }
}

async function mergeMarked(ground: CandidateGround, texts: readonly string[]): Promise<string> {
  const folder = join(ground.scratchDir, `hunks-${randomUUID()}`)
  await mkdir(folder, { recursive: true })
  try {
    const names = ['ours', 'base', 'theirs'].map((name) => join(folder, name))
    for (const [i, name] of names.entries()) await writeFile(name, texts[i] ?? '')
    const words = ['merge-file', '-p', '--diff3', `--marker-size=${MARKER_SIZE}`, ...names]
    // The exit code is the number of conflicts, up to 127.
    const expect = Array.from({ length: 128 }, (_, conflicts) => conflicts)
    return (await ground.git.run(ground.repository, words, { expect })).stdout.toString('utf8')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function replaceInTree(
  ground: CandidateGround,
  tree: string,
  lines: readonly string[],
): Promise<string> {
  const indexFile = join(ground.scratchDir, `index-${randomUUID()}`)
  const repository = { ...ground.repository, indexFile }
  try {
    await ground.git.run(repository, ['read-tree', tree])
    await ground.git.run(repository, ['update-index', '-z', '--index-info'], { input: lines.join('') })
    return await ground.git.text(repository, ['write-tree'])
  } finally {
    await rm(indexFile, { force: true })
  }
}
