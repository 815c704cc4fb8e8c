import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Case } from '../../cases/case.ts'
import { taskMetadata } from '../../cases/metadata.ts'
import type { DeliveryState } from '../../delivery/delivery-state.ts'
import type { ReviewFinding } from '../../delivery/review-contract.ts'
import type { Material } from '../../personas/prompt-input.ts'
import { readText } from '../../platform/files/read-text.ts'
import { writeFileAtomically } from '../../platform/files/write-file-atomically.ts'
import { safeName } from '../../platform/git/names.ts'
import { expertsFolder } from '../../project/experts.ts'
import { findingLine } from '../../project/task-notes.ts'
import type { RunWorld } from '../run-world.ts'
import { baseOf } from './changed-lines.ts'

export interface Asked {
  readonly task: Case
  readonly delivery: DeliveryState
  /** What the asking agent has so far. */
  readonly place: { readonly commit: string; readonly target: string }
  readonly notes: readonly ReviewFinding[]
}

const DIFF_CHARACTERS_MAX = 12_000

/**
 * The request with a snapshot of its context, as the expert reads it. It is written once: the replacement for
 * a lost expert answers the same question in the same context.
 */
export async function openRequest(world: RunWorld, asked: Asked): Promise<Material> {
  const { task, delivery, notes } = asked
  const id = delivery.request?.id ?? task.id
  const request = notes.findLast(({ kind }) => kind === 'request')
  const folder = join(expertsFolder(world), 'requests')
  const file = join(folder, `${safeName(id)}.md`)
  const kept = await readText(file)
  const text = kept ?? (await snapshotOf(world, asked, request?.text ?? 'What is the next step?'))
  if (kept === undefined) {
    await mkdir(folder, { recursive: true })
    await writeFileAtomically(file, text)
  }
  return { title: 'The request', origin: `${request?.by ?? 'the director'} for ${task.id}`, text }
}

async function snapshotOf({ ground }: RunWorld, asked: Asked, question: string): Promise<string> {
  const { task, place, notes } = asked
  const { git, integration } = ground
  const base = await baseOf(git, integration, place.target, place.commit)
  const diff = await git.text(integration, ['diff', '--no-color', '--no-ext-diff', base, place.commit, '--'])
  const criteria = taskMetadata(task.metadata).acceptanceCriteria ?? []
  const findings = notes.filter(({ kind }) => kind === undefined)
  return [
    question,
    `Task ${task.id}: ${task.content}`,
    list('Acceptance criteria:', criteria),
    findings.length > 0 && `Findings so far:\n${findings.map(findingLine).join('\n')}`,
    diff !== '' && `The work so far (${base}..${place.commit}):\n${diff.slice(0, DIFF_CHARACTERS_MAX)}`,
  ]
    .filter((part) => part !== false && part !== '')
    .join('\n\n')
}

function list(heading: string, entries: readonly string[]): string {
  return entries.length === 0 ? '' : [heading, ...entries.map((entry) => `- ${entry}`)].join('\n')
}
