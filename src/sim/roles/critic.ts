import type { Step } from '../step.ts'
import type { Role } from './role.ts'

const FILES_SHOWN_MAX = 50

/** Reads the change and passes it, unless the playbook says to fail it. */
export const critic: Role = (view, wish) => {
  const files = view.changedFiles().slice(0, FILES_SHOWN_MAX)
  const look: Step = { do: 'run', command: 'git log -1 --stat --format=%H%n%s' }
  if (wish.verdict !== 'failed')
    return [look, { do: 'signal', line: 'REVIEW_PASSED', body: passedBody(files) }]
  const issues = wish.issues ?? [{ file: files[0] ?? 'README.md', line: 1, text: 'the name says too little' }]
  const body = [
    listOf('Files Reviewed', files),
    listOf(
      'Issues Found',
      issues.map(({ file, line, text }) => `${file}:${line}: ${text}`),
    ),
    listOf('Required Fixes', wish.fixes ?? ['Give it a name that says what it is for']),
    `Priority: ${wish.priority ?? 'MEDIUM'}`,
  ].join('\n\n')
  return [look, { do: 'signal', line: 'REVIEW_FAILED', body }]
}

function passedBody(files: readonly string[]): string {
  return [
    listOf('Files Reviewed', files),
    listOf('Quality Assessment', [
      'Code style: COMPLIANT',
      'Error handling: ADEQUATE',
      'Naming: CONSISTENT',
      'Architecture: ALIGNED',
    ]),
    'Summary: small, tested and in its place',
  ].join('\n\n')
}

/** A heading and its items; an empty list says so, because it would read as a truncated message. */
export function listOf(heading: string, items: readonly string[]): string {
  return [`${heading}:`, ...(items.length > 0 ? items : ['none']).map((item) => `- ${item}`)].join('\n')
}
