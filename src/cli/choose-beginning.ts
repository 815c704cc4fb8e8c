import { Failure } from '../platform/failure.ts'
import type { Context } from './context.ts'
import { findProject } from './project.ts'

/** What the program does when nothing was typed: the first time set AXIOM up, then show it in a browser. */
export function chooseBeginning({
  interactive,
  cwd,
}: Pick<Context, 'interactive' | 'cwd'>): readonly string[] {
  if (!interactive) return []
  return hasProject(cwd) ? ['serve'] : ['init', 'serve']
}

function hasProject(cwd: string): boolean {
  try {
    findProject(cwd)
    return true
  } catch (error) {
    if (error instanceof Failure && error.code === 'CONFIG_NOT_FOUND') return false
    throw error
  }
}
