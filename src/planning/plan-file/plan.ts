import { z } from 'zod'
import { EXPERT_NAME_RULE, isExpertName } from '../../personas/expert-name.ts'
import { ROLES } from '../../signals/definition.ts'
import { allows, definitionOf } from '../../signals/registry.ts'

/** The roles that may ask an expert. */
const ASKING = ROLES.filter((role) => {
  const request = definitionOf('EXPERT_REQUEST')
  return request !== undefined && allows(request, role)
})
const texts = z.array(z.string()).default([])
const references = z.array(z.string().trim()).default([])
const key = z.string().trim().min(1, 'a key cannot be blank')
const content = z.string().trim().min(1, 'say what it is about')

const task = z.object({
  key,
  content,
  acceptanceCriteria: texts,
  dependsOn: references,
  tags: texts,
  files: texts,
  verify: texts,
  covers: texts,
})

const operation = z.object({
  key,
  content,
  acceptanceCriteria: texts,
  dependsOn: references,
  tags: texts,
  covers: texts,
  tasks: z.array(task).default([]),
})

/** An agent with knowledge that the others of the plan lack, which they may consult. */
const expert = z.object({
  name: z.string().trim().refine(isExpertName, EXPERT_NAME_RULE),
  knows: content,
  expertise: texts,
  /** Roles that may ask it; an empty list means every role that may ask an expert at all. */
  supports: z.array(z.enum(ASKING)).default([]),
  /** Keys of the tasks it is made for; none named means all of them. */
  tasks: references,
  askWhen: texts,
})

/** The form of a plan file. Unknown fields are a warning, not a fault. */
export const planForm = z.object({
  need: content,
  spec: z
    .string()
    .refine((text) => text.trim() !== '', 'leave it out, or give the text of the spec')
    .optional(),
  operations: z.array(operation).min(1, 'a plan has at least one operation'),
  experts: z.array(expert).default([]),
})

export type Plan = z.infer<typeof planForm>
export type PlannedOperation = Plan['operations'][number]
export type PlannedTask = PlannedOperation['tasks'][number]

/** The known fields at each level, to find unknown ones. */
export const FIELDS = {
  plan: Object.keys(planForm.shape),
  operation: Object.keys(operation.shape),
  task: Object.keys(task.shape),
}

/** Something about a plan file, and where in it: `operations[0].tasks[1].dependsOn`. */
export interface PlanRemark {
  readonly place: string
  readonly message: string
}

/** The canvas of a plan: its spec, or the need itself. */
export function canvasText({ need, spec }: Plan): string {
  return spec ?? `${need}\n`
}
