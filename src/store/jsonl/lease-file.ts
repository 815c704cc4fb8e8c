import { renameSync, writeFileSync } from 'node:fs'
import { type Instant, STAGES, type Stage } from '../../cases/case.ts'
import type { CaseIndex } from '../../cases/case-index.ts'
import { readOrEmpty } from './store-folder.ts'

interface Renewal {
  readonly id: string
  readonly stage: Stage
  readonly fence: number
  readonly until: Instant
}

/**
 * Renewals of leases, kept beside the journal because they are many and say nothing about the work. Losing
 * them only lets a lease end earlier, so they are written without waiting for the disk.
 */
export function writeRenewals(path: string, renewals: readonly Renewal[]): void {
  writeFileSync(`${path}.draft`, JSON.stringify(renewals))
  renameSync(`${path}.draft`, path)
}

export function readRenewals(path: string, index: CaseIndex): void {
  let renewals: unknown
  try {
    renewals = JSON.parse(readOrEmpty(path) || '[]')
  } catch {
    return
  }
  if (!Array.isArray(renewals)) return
  for (const { id, stage, fence, until } of renewals as Renewal[]) {
    if (STAGES.includes(stage) && typeof until === 'string') index.renew(id, stage, fence, until)
  }
}
