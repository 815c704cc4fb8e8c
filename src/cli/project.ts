import { realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Refusal } from '../cases/refusal.ts'
import { Failure, systemCode } from '../platform/failure.ts'
import type { Store } from '../store/store.ts'
import { VOCABULARIES } from '../vocabulary/find-vocabulary.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import type { Context } from './context.ts'

export interface Project {
  /** The user's work tree. */
  readonly root: string
  /** `.axiom` or the folder of another vocabulary. */
  readonly folder: string
  readonly vocabulary: Vocabulary
}

/** The whole list is for `axiom store verify`. */
const WARNINGS_MAX = 5
const TORN_TAIL_HINT = 'no answer had been given for it, so nothing that was answered is lost'

/** The project that this directory belongs to: the nearest one above it, by its real path. */
export function findProject(cwd: string): Project {
  for (let root = realOf(cwd); ; root = dirname(root)) {
    const vocabulary = Object.values(VOCABULARIES).find(({ folder }) => isFolder(join(root, folder)))
    if (vocabulary) return { root, folder: join(root, vocabulary.folder), vocabulary }
    if (root === dirname(root)) break
  }
  throw new Failure('CONFIG_NOT_FOUND', `there is no AXIOM project in ${cwd} or above it`, {
    hint: 'start one here: "axiom init"',
  })
}

/** Folders and locks are keyed by the real path, so every spelling of a path must lead to the same one. */
function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR') return false
    throw new Failure('CONFIG_UNREADABLE', `${path} cannot be looked at`, {
      hint: 'its folder must be readable for you: look at its permissions',
      cause: error,
    })
  }
}

/** Opens the project's store for one command, and closes it on every outcome. */
export async function withStore<Result>(
  context: Context,
  purpose: string,
  work: (store: Store, project: Project) => Promise<Result>,
  options: { readonly showsDamage?: boolean } = {},
): Promise<Result> {
  const project = findProject(context.cwd)
  const { openStore } = await import('../store/open-store.ts')
  const { cases } = project.vocabulary
  const store = await openStore({
    folder: project.folder,
    purpose: `axiom ${purpose}`,
    prefixOf: (type) => cases[type].prefix,
  })
  try {
    if (options.showsDamage !== true) await warnOfDamage(context, store)
    return await work(store, project)
  } finally {
    await store.close()
  }
}

/**
 * A torn write is reported once, by the command that truncates it; damage that holds cases, by every command.
 */
async function warnOfDamage(context: Context, store: Store): Promise<void> {
  const { damage, cycles } = await store.report()
  if (damage.length + cycles.length === 0) return
  const { describeDamage } = await import('../store/damage.ts')
  const hint = '"axiom store verify" shows what is wrong and which cases are held'
  const warnings = [
    ...damage.map((item) =>
      item.kind === 'torn-tail'
        ? { code: 'STORE_TORN_TAIL', message: describeDamage(item), hint: TORN_TAIL_HINT }
        : { code: 'STORE_DAMAGED', message: describeDamage(item), hint },
    ),
    ...cycles.map((path) => ({ code: 'CIRCULAR_DEPENDENCY_EXISTING', message: path.join(' → '), hint })),
  ]
  for (const warning of warnings.slice(0, WARNINGS_MAX)) context.warn(warning)
}

/** Turns a refusal into an error with a code, a message and a hint, like every other error at the edge. */
export function refused({ code, message, hint }: Refusal): Failure {
  return new Failure(code, message, { hint })
}
