import { z } from 'zod'
import * as flow from './flow-options.ts'
import * as work from './work-options.ts'

/** Raised together with a step in `MIGRATIONS` whenever an option moves or changes its meaning. */
export const CONFIG_VERSION = 1

/** Every option. The published JSON Schema, the variables, the docs and the messages are derived from it. */
export const configSchema = z.strictObject({
  $schema: z.string().optional().describe('Where editors find the schema of this file.'),
  version: z
    .int()
    .min(1)
    .max(10_000)
    .default(CONFIG_VERSION)
    .describe('Form of this file; AXIOM raises it itself.'),
  vocabulary: z
    .enum(['axiom', 'swarm'])
    .default('axiom')
    .describe('The names that people see and agents use.'),
  agents: work.agents,
  verification: work.verification,
  workspace: work.workspace,
  sandbox: work.sandbox,
  review: flow.review,
  integration: flow.integration,
  checkpoints: flow.checkpoints,
  planning: flow.planning,
  budgets: flow.budgets,
  quietHours: flow.quietHours,
  commits: flow.commits,
  hooks: flow.hooks,
  knowledge: flow.knowledge,
  prompts: flow.prompts,
  disk: flow.disk,
  server: flow.server,
  nonInteractive: z.boolean().default(false).describe('Never ask; a question takes its default.'),
})

export type Config = z.output<typeof configSchema>

/** A node of the JSON Schema, as far as it is read here. */
export interface SchemaNode {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly additionalProperties?: SchemaNode | false
  readonly propertyNames?: SchemaNode
  readonly items?: SchemaNode
  readonly anyOf?: readonly SchemaNode[]
}

let published: SchemaNode | undefined

/** The JSON Schema of the file as people write it. */
export function configJsonSchema(): SchemaNode {
  published ??= {
    ...(z.toJSONSchema(configSchema, { io: 'input' }) as SchemaNode),
    ...{ $id: 'https://axiom.invalid/config.schema.json', title: 'AXIOM configuration' },
  }
  return published
}
