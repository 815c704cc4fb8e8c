import { appendFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Case } from '../../cases/case.ts'
import type { Config } from '../../config/schema.ts'
import type { DeliveryLimits } from '../../delivery/delivery-context.ts'
import type { RegisteredExpert } from '../../delivery/escalation.ts'
import type { Occurrence } from '../../delivery/occurrence.ts'
import type { ChangedLines } from '../../delivery/review-contract.ts'

export interface ProposedAnswer {
  readonly text: string
  /**
   * Given by a person earlier, for every time the question comes up; otherwise it is the asker's own default.
   */
  readonly isStanding: boolean
}

/** What is needed to judge an event about a task, besides the cases. */
export interface EventContext {
  readonly limits: DeliveryLimits
  /** What the change under review touched; read only where a complaint has to be judged. */
  changedLines(task: Case, commit: string): Promise<ChangedLines>
  experts(task: Case): Promise<readonly RegisteredExpert[]>
  /** The answer that applies to the event's question when no person gives one; null where there is none. */
  standingAnswer(task: Case, occurrence: Occurrence): Promise<ProposedAnswer | null>
  /** One line of `logs/signals.jsonl`. */
  logRefusal(line: string): Promise<void>
}

export function deliveryLimits({ review }: Pick<Config, 'review'>): DeliveryLimits {
  return review
}

/** The context of a person's command: an override also needs to know which budgets are spent. */
export interface PersonEventContext extends EventContext {
  readonly budgets: Config['budgets']
}

/** The context of a command that acts for a person: nothing in it needs git or an agent. */
export function personEventContext(projectFolder: string, config: Config): PersonEventContext {
  const file = join(projectFolder, 'logs/signals.jsonl')
  return {
    limits: deliveryLimits(config),
    budgets: config.budgets,
    changedLines: async () => ({}),
    experts: async () => [],
    standingAnswer: async () => null,
    logRefusal: async (line) => {
      await mkdir(dirname(file), { recursive: true })
      await appendFile(file, `${line}\n`)
    },
  }
}
