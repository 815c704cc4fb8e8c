import type { Role } from '../roles.ts'
import type { Words } from '../words.ts'

/** The last words of a prompt: what to do now and how it ends. */
export function writeClosing(role: Role, { signal }: Words): string {
  switch (role) {
    case 'developer':
      return `Read the files named above before you change anything. You are done when every criterion holds on the commit that you claim: end with ${signal('COMPLETE')} alone on the last line, or with another of your signals if you cannot get there.`
    case 'critic':
      return `Review the change and end with one verdict: ${signal('REVIEW_PASSED')} or ${signal('REVIEW_FAILED')}, with everything that blocks in this one round.`
    case 'auditor':
      return `Take the criteria in their order, collect the evidence, and end with one verdict: ${signal('AUDIT_PASSED')}, ${signal('AUDIT_FAILED')} or ${signal('AUDIT_BLOCKED')}.`
    case 'resolver':
      return `Finish the merge that is under way, prove it, commit it, and end with ${signal('RESOLVED')}; or with ${signal('PENDING')} if the two intents cannot both hold.`
    case 'planner':
      return `Do this phase and end with ${signal('PHASE_COMPLETE')}.`
    case 'analyst':
      return `Write the specification out and end with ${signal('EXPANDED_TASK_SPECIFICATION')}.`
    case 'remediator':
      return `Reproduce, find the cause, fix it, prove it, and end with ${signal('REMEDIATION_COMPLETE')}.`
    case 'health-auditor':
      return `Run every check in every environment and end with ${signal('HEALTH_AUDIT: HEALTHY')} or ${signal('HEALTH_AUDIT: UNHEALTHY')}.`
    case 'expert':
      return `Answer this one request and end with ${signal('EXPERT_ADVICE')}, or with ${signal('EXPERT_UNSUCCESSFUL')} after three tries.`
    case 'curator':
      return `Judge each entry against the code and end your message with the json block.`
    case 'onboarding':
      return `Go on with the conversation. When everything is settled and proven, give the json block and end with ${signal('AVA_COMPLETE')}.`
    case 'lead':
      return `Answer now. If anyone came or went, report the team with ${signal('AGENT_STATUS')}.`
  }
}
