import type { Role as RoleName } from '../../signals/definition.ts'
import { readBase, readCriteria } from '../prompt-reading.ts'
import { changedFiles, conflicts } from '../repository.ts'
import type { Stage } from '../stage.ts'
import type { Step, StepOf } from '../step.ts'
import { analyst } from './analyst.ts'
import { auditor } from './auditor.ts'
import { critic } from './critic.ts'
import { curator } from './curator.ts'
import { developer } from './developer.ts'
import { expert } from './expert.ts'
import { lead } from './lead.ts'
import { onboarding } from './onboarding.ts'
import { planner } from './planner.ts'
import { healthAuditor, remediator } from './remediation.ts'
import { resolver } from './resolver.ts'
import type { Role, View } from './role.ts'

const ROLES: Readonly<Record<string, Role>> = {
  developer,
  critic,
  auditor,
  resolver,
  planner,
  analyst,
  remediator,
  'health-auditor': healthAuditor,
  expert,
  lead,
  onboarding,
  curator,
} satisfies Record<Exclude<RoleName, 'director'>, Role>

export function stepsOfRole(stage: Stage, wish: StepOf<'play'>): Step[] {
  const { situation, base } = stage
  const view: View = {
    situation,
    criteria: wish.criteria?.map((text) => ({ name: text, text })) ?? readCriteria(situation.prompt),
    changedFiles: () => changedFiles(situation.workspace, base ?? readBase(situation.prompt)),
    conflicts: () => conflicts(situation.workspace),
  }
  return (ROLES[situation.role] ?? developer)(view, wish)
}
