import type { ProjectView } from './project-view.ts'

export const COMMAND_KINDS = ['test', 'lint', 'types', 'build'] as const
export type CommandKind = (typeof COMMAND_KINDS)[number]

export interface DetectedCommand {
  readonly kind: CommandKind
  /** A line for `sh -c`, from the root of the unit. */
  readonly command: string
  /** The evidence for it in the repository. */
  readonly because: string
}

/** One part of a repository with a tool chain of its own. */
export interface DetectedUnit {
  /** Its folder; empty for the root. */
  readonly folder: string
  readonly language: string
  readonly packageManager: string
  readonly frameworks: readonly string[]
  /** Its members, when it is a workspace of several packages. */
  readonly members: readonly string[]
  /** The command that prepares a fresh checkout, if one is needed. */
  readonly setup?: string
  /** Folders that the set-up fills, beside the manifest. */
  readonly dependencies: readonly string[]
  readonly commands: readonly DetectedCommand[]
  /** What a person should decide or know. */
  readonly notes: readonly string[]
}

/** Detects the unit of one stack in a folder with one of its manifests. */
export type UnitFinder = (view: ProjectView) => Omit<DetectedUnit, 'folder'> | undefined

/** Drops candidates that were not found, so that a list of them reads like a table. */
export function present<T>(...candidates: readonly (T | undefined | false)[]): T[] {
  return candidates.filter((one): one is T => one !== undefined && one !== false)
}
