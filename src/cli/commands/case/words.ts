import type { CaseType, Status } from '../../../cases/case.ts'
import { CASE_TYPES } from '../../../cases/case-types.ts'
import { STATUS_SYMBOLS } from '../../../cases/statuses.ts'

/** The words that options and arguments take. */
export const TYPES = Object.keys(CASE_TYPES) as CaseType[]
export const STATUSES = Object.keys(STATUS_SYMBOLS) as Status[]
