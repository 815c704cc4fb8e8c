import { readChecks } from '../prompt-reading.ts'
import type { Step } from '../step.ts'
import { listOf } from './critic.ts'
import type { Role } from './role.ts'

const CHECKS_MAX = 10

export const remediator: Role = ({ situation }, wish) => {
  const checks = readChecks(situation.prompt).slice(0, CHECKS_MAX)
  const body = [
    listOf('Issues Fixed', [`${wish.reason ?? 'the reported failure'}: cause removed`]),
    listOf(
      'Verification Results',
      checks.map((check) => `${check}: PASS`),
    ),
    'All infrastructure issues resolved.',
  ].join('\n\n')
  return [...runs(checks), { do: 'signal', line: 'REMEDIATION_COMPLETE', body }]
}

export const healthAuditor: Role = ({ situation }, wish) => {
  const checks = readChecks(situation.prompt).slice(0, CHECKS_MAX)
  if (wish.verdict === 'failed') {
    const body = `Failed Checks:\n- ${checks[0] ?? 'check'} (local): FAIL\n  Exit: 1\n  Output: ${wish.reason ?? 'red'}`
    return [{ do: 'signal', line: 'HEALTH_AUDIT: UNHEALTHY', body }]
  }
  const body = [
    listOf(
      'Verification Results',
      checks.map((check) => `${check} (local): PASS`),
    ),
    'All checks pass in all environments.',
  ].join('\n\n')
  return [...runs(checks), { do: 'signal', line: 'HEALTH_AUDIT: HEALTHY', body }]
}

/** A failing check must not be reported as passed, so it fails the agent. */
function runs(checks: readonly string[]): Step[] {
  return checks.map((command) => ({ do: 'run', command, mustPass: true }))
}
