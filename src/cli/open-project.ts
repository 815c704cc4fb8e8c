import { Failure } from '../platform/failure.ts'
import type { Context } from './context.ts'
import { findProject } from './project.ts'

/** `axiom` without a command sets the project up the first time, then shows it in the browser. */
export async function openProject(context: Context): Promise<void> {
  if (!hasProject(context.cwd)) {
    const { init } = await import('./commands/init/command.ts')
    await init(context, { prove: true })
  }
  const { serve } = await import('./commands/serve/serve.ts')
  await serve(context, { open: true })
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
