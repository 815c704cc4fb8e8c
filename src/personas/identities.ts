import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import { type Agent, agentFolder, isPersona } from './roles.ts'

/** What a person sees of an agent, apart from its names, which belong to the vocabulary. */
interface Face {
  readonly emoji: string
  readonly colour: string
  readonly concurrency: 'one' | 'many'
}

const FACES: Readonly<Record<Agent, Face>> = {
  ava: { emoji: '🔍', colour: 'Indigo', concurrency: 'one' },
  axel: { emoji: '📊', colour: 'Purple', concurrency: 'one' },
  echo: { emoji: '⚙️', colour: 'Blue', concurrency: 'many' },
  rex: { emoji: '🔧', colour: 'Orange', concurrency: 'one' },
  cleo: { emoji: '💡', colour: 'Teal', concurrency: 'one' },
  dex: { emoji: '😎', colour: 'Gold', concurrency: 'one' },
  max: { emoji: '👁️', colour: 'Amber', concurrency: 'one' },
  ash: { emoji: '📈', colour: 'Slate', concurrency: 'one' },
  critic: { emoji: '🔬', colour: 'Rose', concurrency: 'many' },
  auditor: { emoji: '⚖️', colour: 'Emerald', concurrency: 'many' },
  remediator: { emoji: '🩹', colour: 'Red', concurrency: 'one' },
  experts: { emoji: '🎓', colour: 'Cyan', concurrency: 'many' },
}

const OTHERS: Readonly<Record<string, { name: string; role: string }>> = {
  critic: { name: 'Critic', role: 'Code review' },
  auditor: { name: 'Auditor', role: 'Acceptance audit' },
  remediator: { name: 'Remediator', role: 'Infrastructure repair' },
  experts: { name: 'Expert', role: 'Advice' },
}

export interface Identity extends Face {
  readonly agent: Agent
  readonly id: string
  readonly name: string
  /** The form in headings: `Executor Echo`, `Critic`. */
  readonly fullName: string
  /** The form in a sentence: `Echo, the executor`, `the critic`. */
  readonly introduced: string
  readonly role: string
}

export function identityOf(vocabulary: Vocabulary, agent: Agent): Identity {
  const id = agentFolder(vocabulary, agent)
  if (!isPersona(agent)) {
    const { name, role } = OTHERS[agent] ?? { name: agent, role: '' }
    const introduced = agent === 'experts' ? 'an expert' : `the ${name.toLowerCase()}`
    return { agent, id, name, fullName: name, introduced, role, ...FACES[agent] }
  }
  const { name, title, role } = vocabulary.personas[agent]
  const introduced = `${name}, the ${title.toLowerCase()}`
  return { agent, id, name, fullName: `${title} ${name}`, introduced, role, ...FACES[agent] }
}
