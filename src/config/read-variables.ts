import { type ConfigProblem, dropWrongValues } from './drop-wrong-values.ts'
import { listOptions, type Option } from './options.ts'
import { parseValueText } from './parse-value-text.ts'
import { suggestName } from './suggest-name.ts'
import { type JsonObject, parsePath, withValueAt } from './value-path.ts'

/**
 * Variables that AXIOM sets for agents, checks and hooks. Not options, but present when an agent starts
 * AXIOM.
 */
const GIVEN = /^AXIOM_(TASK_ID|TASK_KEY|AGENT|ITERATION|ROLE|WORKSPACE|SYSTEM_PROMPT|SLOT|FENCE)$/

/** The options that `AXIOM_*` variables set. */
export function readVariables(env: Readonly<Record<string, string | undefined>>): {
  value: JsonObject
  problems: ConfigProblem[]
} {
  const options = listOptions()
  let value: JsonObject = {}
  const problems: ConfigProblem[] = []
  for (const option of options) {
    const text = env[option.variable]
    if (text === undefined || text === '') continue
    const one = withValueAt({}, parsePath(option.key), parseValueText(option.node, text))
    const checked = dropWrongValues(one)
    problems.push(...checked.problems.map((problem) => nameVariable(problem, option.variable)))
    if (checked.problems.length === 0)
      value = withValueAt(value, parsePath(option.key), parseValueText(option.node, text)) as JsonObject
  }
  return { value, problems: [...problems, ...misspelt(env, options)] }
}

function nameVariable(problem: ConfigProblem, variable: string): ConfigProblem {
  const message = problem.message.replace(/(the default .*|it) is (used|left out)$/, 'it is ignored')
  return { ...problem, message: `${variable}: ${message}` }
}

function misspelt(
  env: Readonly<Record<string, string | undefined>>,
  options: readonly Option[],
): ConfigProblem[] {
  const known = options.map(({ variable }) => variable)
  return Object.keys(env)
    .filter((name) => name.startsWith('AXIOM_') && !known.includes(name) && !GIVEN.test(name))
    .flatMap((name): ConfigProblem[] => {
      const meant = suggestName(name, known)
      if (meant === undefined) return []
      return [
        {
          code: 'CONFIG_UNKNOWN_KEY',
          key: name,
          message: `unknown variable ${name}; did you mean ${meant}?`,
        },
      ]
    })
}
