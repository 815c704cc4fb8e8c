import { identityOf } from '../../personas/identities.ts'
import { AGENTS, agentIdPrefix } from '../../personas/roles.ts'
import type { Vocabulary } from '../../vocabulary/vocabulary.ts'
import type { Colors } from '../context.ts'

/** How an agent is shown: its emoji and its colour of a terminal's 256. */
export interface AgentFace {
  readonly emoji: string
  readonly name: string
  readonly colour: number
}

const COLOURS: Readonly<Record<string, number>> = {
  Indigo: 63,
  Purple: 135,
  Blue: 39,
  Orange: 208,
  Teal: 37,
  Gold: 220,
  Amber: 214,
  Slate: 103,
  Rose: 204,
  Emerald: 35,
  Red: 196,
  Cyan: 44,
}

const STRANGER: AgentFace = { emoji: '👤', name: '', colour: 250 }

/** The faces of one vocabulary, by the prefix of an agent's id. */
export function facesOf(vocabulary: Vocabulary): (kind: string) => AgentFace {
  const faces = new Map(
    AGENTS.map((agent) => {
      const { emoji, name, colour } = identityOf(vocabulary, agent)
      return [agentIdPrefix(vocabulary, agent), { emoji, name, colour: COLOURS[colour] ?? 250 }]
    }),
  )
  return (kind) => faces.get(kind) ?? STRANGER
}

export function paintFace(colors: Colors, { colour }: AgentFace, text: string): string {
  return colors.isColorSupported ? `\u001b[38;5;${colour}m${text}\u001b[39m` : text
}
