/** The agent's assignment, from its environment and its prompt. */
export interface Situation {
  readonly role: string
  readonly taskId: string
  readonly taskKey: string
  readonly agent: string
  readonly iteration: number
  readonly workspace: string
  readonly prompt: string
  readonly resumed: boolean
}

export function readSituation(
  environment: Readonly<Record<string, string | undefined>>,
  workspace: string,
): Omit<Situation, 'prompt'> {
  const iteration = Number(environment.AXIOM_ITERATION)
  return {
    role: environment.AXIOM_ROLE || 'developer',
    taskId: environment.AXIOM_TASK_ID || 'task-000',
    taskKey: environment.AXIOM_TASK_KEY ?? '',
    agent: environment.AXIOM_AGENT || 'sim-000',
    iteration: Number.isInteger(iteration) && iteration > 0 ? iteration : 1,
    workspace,
    resumed: false,
  }
}
