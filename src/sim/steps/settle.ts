import { conflicts } from '../repository.ts'
import { keepBothSides } from '../roles/resolver.ts'
import type { Stage } from '../stage.ts'
import type { StepOf } from '../step.ts'
import { playEdit } from './edit.ts'

export async function playSettle(step: StepOf<'settle'>, stage: Stage): Promise<void> {
  for (const { file, text } of conflicts(stage.situation.workspace)) {
    const write = step.files[file] ?? (text === undefined ? undefined : keepBothSides(text))
    if (write !== undefined) await playEdit({ do: 'edit', file, write }, stage)
  }
}
