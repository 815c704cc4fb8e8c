import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Step } from '../../../sim/step.ts'

/** What the demo is made of; it is shipped beside the programs and can be read and changed like any code. */
export interface DemoMaterial {
  /** A small library with its tests: the repository before anything happened. */
  readonly sample: string
  /** The need with its spec, operations and tasks. */
  readonly plan: string
  /** The steps that write the files of one turn of an agent. */
  turn(name: string): readonly Step[]
}

export function openMaterial(folder: string): DemoMaterial {
  const turns = join(folder, 'turns')
  return {
    sample: join(folder, 'sample'),
    plan: join(folder, 'plan.json'),
    turn: (name) =>
      filesBelow(join(turns, name)).map((file) => ({
        do: 'edit',
        file,
        write: readFileSync(join(turns, name, file), 'utf8'),
      })),
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}
