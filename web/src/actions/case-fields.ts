import type { Field } from './action.ts'

export const CASE_ID = /^[a-z]{1,20}-\d{1,9}$/

export const REASON: Field = { name: 'reason', label: 'Why', kind: 'line', required: true }
export const MAYBE_REASON: Field = { name: 'reason', label: 'Why', kind: 'line' }
