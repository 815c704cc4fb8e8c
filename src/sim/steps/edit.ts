import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, normalize } from 'node:path'
import { SimFailure } from '../sim-failure.ts'
import type { Stage } from '../stage.ts'
import type { StepOf } from '../step.ts'
import { type ToolOutcome, useTool } from './use-tool.ts'

export async function playEdit(step: StepOf<'edit'>, stage: Stage): Promise<void> {
  if (isAbsolute(step.file) || normalize(step.file).startsWith('..')) {
    throw new SimFailure('SIM_STEP_FAILED', `edit of ${step.file}: only files of the workspace are edited`)
  }
  const path = join(stage.situation.workspace, step.file)
  const input = { file_path: path, content: step.write ?? step.append ?? step.replace?.to ?? '' }
  await useTool(stage, step.write === undefined ? 'Edit' : 'Write', input, step.asks ?? false, () =>
    change(step, path),
  )
}

function change(step: StepOf<'edit'>, path: string): ToolOutcome {
  mkdirSync(dirname(path), { recursive: true })
  if (step.write !== undefined) writeFileSync(path, step.write)
  else if (step.append !== undefined) appendFileSync(path, step.append)
  else if (step.replace !== undefined) replaceOnce(path, step.file, step.replace.from, step.replace.to)
  else rmSync(path, { recursive: true, force: true })
  return { text: `${step.file} is changed`, failed: false }
}

function replaceOnce(path: string, file: string, from: string, to: string): void {
  const before = readFileSync(path, 'utf8')
  const place = before.indexOf(from)
  if (place < 0) throw new SimFailure('SIM_STEP_FAILED', `edit of ${file}: the text to replace is not there`)
  writeFileSync(path, before.slice(0, place) + to + before.slice(place + from.length))
}
