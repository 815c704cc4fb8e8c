import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '../platform/failure.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import type { PersonaFiles } from './prompt-input.ts'
import { agentFolder, agentOfRole, type Role } from './roles.ts'

/** Reads what an agent of this role brings along; a file that is not there is simply absent. */
export async function readPersonaFolder(
  root: string,
  vocabulary: Vocabulary,
  role: Role,
): Promise<PersonaFiles> {
  const base = join(root, vocabulary.folder)
  const folder = join(base, 'agents', agentFolder(vocabulary, agentOfRole(role)))
  const [shared, skills, rules, prompt] = await Promise.all([
    readMarkdown(join(base, 'rules')),
    readMarkdown(join(folder, 'skills')),
    readText(join(folder, 'rules.md')),
    readText(join(folder, 'prompt.md')),
  ])
  return {
    shared: new Map(shared),
    skills: skills.map(([file, text]) => ({ file, text })),
    ...(rules === undefined ? {} : { rules }),
    ...(prompt === undefined ? {} : { prompt }),
  }
}

async function readMarkdown(folder: string): Promise<[file: string, text: string][]> {
  const names = await absentAs(readdir(folder), [])
  const files = names.filter((name) => name.endsWith('.md')).toSorted()
  const texts = await Promise.all(files.map((file) => readText(join(folder, file))))
  return files.map((file, at) => [file, texts[at] ?? ''])
}

async function readText(path: string): Promise<string | undefined> {
  return absentAs(readFile(path, 'utf8'), undefined)
}

async function absentAs<T, A>(reading: Promise<T>, absent: A): Promise<T | A> {
  try {
    return await reading
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return absent
    throw error
  }
}
