import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { CaseId } from '../cases/case.ts'
import { type ExpertFile, formatExpert, readExpertFile } from '../delivery/expert-file.ts'
import { EXPERT_NAME_RULE, isExpertName } from '../personas/expert-name.ts'
import type { Expert } from '../personas/prompt-input.ts'
import { agentFolder } from '../personas/roles.ts'
import { Failure, systemCode } from '../platform/failure.ts'
import { readInside } from '../platform/files/read-inside.ts'
import { writeFileAtomically } from '../platform/files/write-file-atomically.ts'
import type { Role } from '../signals/definition.ts'
import { allows, definitionOf } from '../signals/registry.ts'
import type { Store } from '../store/store.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'

/** Where a project keeps its experts. */
export interface ExpertGround {
  readonly root: string
  readonly vocabulary: Vocabulary
}

/** More experts than this are too many for a plan; only the first by name are used. */
const EXPERTS_MAX = 50
/** The names are kept in the directive that the experts were made for. */
const KEY = 'experts'

export function expertsFolder({ root, vocabulary }: ExpertGround): string {
  return join(root, vocabulary.folder, 'agents', agentFolder(vocabulary, 'experts'))
}

/** Every expert that has a file; the files are the register. */
export async function listExperts(ground: ExpertGround): Promise<readonly ExpertFile[]> {
  const names = (await fileNames(expertsFolder(ground)))
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -'.md'.length))
    .filter(isExpertName)
    .toSorted()
    .slice(0, EXPERTS_MAX)
  const texts = await Promise.all(names.map((name) => expertNote(ground, name)))
  return names.flatMap((name, at) => {
    const text = texts[at]
    return text === undefined ? [] : [readExpertFile(name, text)]
  })
}

async function fileNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}

/** The text of an expert's file; undefined when there is no such expert. */
export async function expertNote(ground: ExpertGround, name: string): Promise<string | undefined> {
  if (!isExpertName(name)) return undefined
  return readInside(join(ground.root, ground.vocabulary.folder), join(expertsFolder(ground), `${name}.md`))
}

/** The experts that an agent of this role may ask about this task, as its prompt lists them. */
export async function expertsTold(
  ground: ExpertGround,
  { id }: { readonly id: CaseId },
  role: Role,
): Promise<Expert[]> {
  const request = definitionOf('EXPERT_REQUEST')
  if (request === undefined || !allows(request, role)) return []
  const experts = await listExperts(ground)
  return experts
    .filter(({ supports }) => supports.length === 0 || supports.includes(role))
    .filter(({ tasks }) => tasks.length === 0 || tasks.includes(id))
    .map(({ name, gap, expertise, triggers }) => ({
      name,
      knows: [gap, ...expertise].filter((text) => text !== '').join('; '),
      askWhen: triggers.map(({ when }) => when).join('; or ') || 'you are stuck in its field',
    }))
}

/**
 * Creates an expert for a plan: its file first, then its name in the directive, so that a listed expert can
 * always be asked. A second one of the same name replaces the first.
 */
export async function createExpert(
  ground: ExpertGround & { readonly store: Store },
  directive: CaseId,
  expert: ExpertFile,
): Promise<void> {
  if (!isExpertName(expert.name))
    throw new Failure('EXPERT_NAME_INVALID', `"${expert.name}" cannot be the name of an expert`, {
      hint: EXPERT_NAME_RULE,
    })
  const folder = expertsFolder(ground)
  await mkdir(folder, { recursive: true })
  await writeFileAtomically(join(folder, `${expert.name}.md`), formatExpert(expert))
  await register(ground.store, directive, expert)
}

async function register(store: Store, directive: CaseId, { name, gap }: ExpertFile): Promise<void> {
  const [found] = await store.query({ ids: [directive] })
  const known = found && Array.isArray(found.metadata[KEY]) ? (found.metadata[KEY] as string[]) : []
  const metadata = { [KEY]: [...new Set([...known, name])].slice(-EXPERTS_MAX) }
  const reason = `EXPERT_CREATED: ${name} (${gap})`.slice(0, 500)
  const answer = await store.transact({
    commands: [{ kind: 'update', id: directive, metadata, reason }],
    by: 'director',
  })
  if (answer.kind === 'refused') throw new Failure('STORE_REFUSED', answer.message, { hint: answer.hint })
}
