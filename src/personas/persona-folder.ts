import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '../platform/failure.ts'
import { readInside } from '../platform/files/read-inside.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import type { PersonaFiles } from './prompt-input.ts'
import { agentFolder, agentOfRole, type Role } from './roles.ts'

/** Reads the files of an agent of this role; a missing file is simply absent. */
export async function readPersonaFolder(
  root: string,
  vocabulary: Vocabulary,
  role: Role,
): Promise<PersonaFiles> {
  const base = join(root, vocabulary.folder)
  const folder = join(base, 'agents', agentFolder(vocabulary, agentOfRole(role)))
  const [shared, skills, rules, prompt] = await Promise.all([
    readMarkdown(base, join(base, 'rules')),
    readMarkdown(base, join(folder, 'skills')),
    readInside(base, join(folder, 'rules.md')),
    readInside(base, join(folder, 'prompt.md')),
  ])
  return {
    shared: new Map(shared),
    skills: skills.map(([file, text]) => ({ file, text })),
    ...(rules === undefined ? {} : { rules }),
    ...(prompt === undefined ? {} : { prompt }),
  }
}

async function readMarkdown(base: string, folder: string): Promise<[file: string, text: string][]> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith('.md')).toSorted()
  const texts = await Promise.all(names.map((name) => readInside(base, join(folder, name))))
  return names.flatMap((name, at): [string, string][] => {
    const text = texts[at]
    return text === undefined ? [] : [[name, text]]
  })
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}
