import { Failure } from '../platform/failure.ts'
import type { Context } from './context.ts'

/** Questions to the user. With `--yes`, or without an interactive terminal, each takes its default. */
export interface Asker {
  confirm(question: string, standard: boolean): Promise<boolean>
  choose<T extends string>(
    question: string,
    options: readonly { value: T; label: string }[],
    standard: T,
  ): Promise<T>
  chooseSome(question: string, options: readonly string[]): Promise<string[]>
  /** An answer as free text; undefined with `--yes` or without an interactive terminal. */
  answer(question: string): Promise<string | undefined>
}

export function createAsker(context: Context, yes: boolean): Asker {
  return context.interactive && !yes ? askTerminal() : takeDefaults
}

const takeDefaults: Asker = {
  confirm: async (_question, standard) => standard,
  choose: async (_question, _options, standard) => standard,
  chooseSome: async () => [],
  answer: async () => undefined,
}

function askTerminal(): Asker {
  return {
    async confirm(message, initialValue) {
      const { confirm } = await import('@clack/prompts')
      return answered(await confirm({ message, initialValue, output: process.stderr }))
    },
    async choose<T extends string>(
      message: string,
      options: readonly { value: T; label: string }[],
      standard: T,
    ) {
      const { select } = await import('@clack/prompts')
      const choices = options.map(({ value, label }) => ({ value: value as string, label }))
      return answered(
        await select<string>({ message, options: choices, initialValue: standard, output: process.stderr }),
      ) as T
    },
    async chooseSome(message, options) {
      const { multiselect } = await import('@clack/prompts')
      const choices = options.map((value) => ({ value, label: value }))
      return answered(
        await multiselect<string>({ message, options: choices, required: false, output: process.stderr }),
      )
    },
    async answer(message) {
      const { text } = await import('@clack/prompts')
      return answered(await text({ message, placeholder: YOU_DECIDE, output: process.stderr })) || YOU_DECIDE
    },
  }
}

const YOU_DECIDE = 'you decide'

function answered<T>(answer: T): Exclude<T, symbol> {
  if (typeof answer !== 'symbol') return answer as Exclude<T, symbol>
  throw new Failure('INTERRUPTED', 'the question was left unanswered', {
    hint: 'nothing was written; every question has a flag: axiom init --help',
  })
}
