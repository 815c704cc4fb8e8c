import type { Agent } from '../../../personas/roles.ts'
import { agentIdPrefix } from '../../../personas/roles.ts'
import { AXIOM } from '../../../vocabulary/axiom.ts'
import type { Context } from '../../context.ts'
import { type AgentFace, facesOf, paintFace } from '../../render/agent-face.ts'
import { jsonText } from '../../render/json-text.ts'
import { plainLine } from '../../render/plain-text.ts'
import { fitText } from '../../render/text-width.ts'
import type { StoryLine } from './tell-story.ts'

const NAME_WIDTH = 8

/** Reports progress, as text lines for people or as one JSON object each. */
export interface Narrator {
  /** A heading or a sentence of the demo itself. */
  say(text: string): void
  tell(line: StoryLine): void
  /** An object of the JSON stream; not shown in text output. */
  report(value: Readonly<Record<string, unknown>>): void
}

export function createNarrator(context: Context): Narrator {
  const face = facesOf(AXIOM)
  if (context.json) {
    const report = (value: Readonly<Record<string, unknown>>): void => context.out(jsonText(value))
    return {
      say: () => undefined,
      tell: ({ who, text, task, mood }) => report({ type: 'story', simulated: true, who, text, task, mood }),
      report,
    }
  }
  return {
    say: (text) => context.out(text),
    tell: (told) => context.out(lineOf(context, face(agentIdPrefix(AXIOM, told.who)), told)),
    report: () => undefined,
  }
}

/** The line as text: emoji, name in the agent's colour, message. */
export function lineOf({ colors }: Context, face: AgentFace, { text, mood }: StoryLine): string {
  const words = plainLine(text)
  const painted = mood === 'good' ? colors.green(words) : mood === 'bad' ? colors.yellow(words) : words
  return `${face.emoji} ${paintFace(colors, face, fitText(face.name, NAME_WIDTH))} ${painted}`
}

/** A line that no change of a case caused. */
export function remark(who: Agent, text: string, mood: StoryLine['mood'] = 'plain'): StoryLine {
  return { who, text, task: null, mood }
}
