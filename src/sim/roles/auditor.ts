import { readChecks } from '../prompt-reading.ts'
import type { Step } from '../step.ts'
import { listOf } from './critic.ts'
import type { Role } from './role.ts'

const CHECKS_MAX = 10

/** Runs the checks of the prompt and reports evidence for each criterion. */
export const auditor: Role = (view, wish) => {
  const checks = readChecks(view.situation.prompt).slice(0, CHECKS_MAX)
  const looks: Step[] = ['git status --short', ...checks].map((command) => ({
    do: 'run',
    command,
    mustPass: true,
  }))
  const criteria = view.criteria.length > 0 ? view.criteria.map(({ name }) => name) : ['the task as stated']
  const files = view.changedFiles()
  if (wish.verdict === 'blocked') {
    const failures = [wish.reason ?? 'the checks were red before this change']
    return [{ do: 'signal', line: 'AUDIT_BLOCKED', body: listOf('Pre-existing Failures', failures) }]
  }
  if (wish.verdict === 'failed')
    return [...looks, failed(criteria, wish.issues ?? [], wish.fixes ?? [], files)]
  const evidence = `seen in ${files[0] ?? 'the tree'} at the commit under audit`
  const body = [
    listOf(
      'Verification Results',
      criteria.map((criterion) => `${criterion}: VERIFIED - ${evidence}`),
    ),
    listOf(
      'Commands Executed',
      checks.map((check) => `${check} (local): PASS`),
    ),
    'Summary: every criterion is met',
  ].join('\n\n')
  return [...looks, { do: 'signal', line: 'AUDIT_PASSED', body }]
}

function failed(
  criteria: readonly string[],
  issues: readonly { readonly file: string; readonly line: number; readonly text: string }[],
  fixes: readonly string[],
  files: readonly string[],
): Step {
  const [first = 'the task as stated', ...others] = criteria
  const found =
    issues.length > 0 ? issues : [{ file: files[0] ?? 'README.md', line: 1, text: 'does not meet it' }]
  const body = [
    listOf('Failed Criteria', [`${first}: FAILED - it is not shown by any test`]),
    listOf(
      'Issues Found',
      found.map(({ file, line, text }) => `${file}:${line}: ${text}`),
    ),
    listOf('Required Fixes', fixes.length > 0 ? fixes : ['Show it by a test']),
    listOf('Passing Criteria', others),
  ].join('\n\n')
  return { do: 'signal', line: 'AUDIT_FAILED', body }
}
