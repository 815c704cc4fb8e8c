import type { AgentCard } from '../../../events/agent-grid.ts'
import { paintFace } from '../../render/agent-face.ts'
import { plainLine } from '../../render/plain-text.ts'
import { cutTo, fitText } from '../../render/text-width.ts'
import { type Easel, elapsedText, progressBar } from './easel.ts'

const BAR_WIDTH = 12
const DOING: Readonly<Record<string, string>> = {
  idle: 'idle',
  preparing: 'prepares its workspace',
  iteration: 'works',
  verification: 'is being checked',
  waiting: 'waits for the model',
  paused: 'is paused',
  holding: 'holds its work',
}
const STAGES: Readonly<Record<string, string>> = {
  critique: 'reviews',
  audit: 'audits',
  resolve: 'resolves a conflict',
  plan: 'specifies',
  remediate: 'repairs',
}

/** Three lines of one width: agent, task, progress. */
export function drawAgent(easel: Easel, card: AgentCard, width: number): [string, string, string] {
  const { colors } = easel
  const face = easel.face(card.kind)
  const { task, title, iteration, progress } = card
  const when = card.elapsedMs > 0 ? elapsedText(card.elapsedMs) : ''
  const name = `${face.emoji} ${plainLine(card.agent)}`
  const number = iteration > 1 ? `iteration ${iteration}` : ''
  const note = [number, when].filter(Boolean).join('  ')
  const first = `${paintFace(colors, face, colors.bold(fitText(name, width - note.length - 1)))} ${colors.dim(note)}`
  const second = ` ${colors.dim(plainLine(task))} ${fitText(plainLine(title), width - plainLine(task).length - 2)}`
  const bar =
    progress === undefined ? '' : `${progressBar(easel, progress, BAR_WIDTH)} ${`${progress} %`.padStart(5)} `
  const barWidth = progress === undefined ? 0 : BAR_WIDTH + 7
  return [first, second, ` ${bar}${doingText(easel, card, width - barWidth - 1)}`]
}

function doingText({ colors, nowMs }: Easel, card: AgentCard, width: number): string {
  const { warning, waiting, activity, state, stage } = card
  if (warning !== undefined) return colors.yellow(fitText(`⚠ ${plainLine(warning)}`, width))
  if (waiting !== undefined) {
    const left = elapsedText(Math.max(0, waiting.untilMs - nowMs))
    return colors.yellow(fitText(`waits ${left}: ${plainLine(waiting.reason)}`, width))
  }
  const usual = state === 'iteration' && stage !== null ? STAGES[stage] : undefined
  const words =
    activity === undefined || state === 'verification'
      ? (usual ?? DOING[state] ?? state)
      : plainLine(activity)
  return fitText(cutTo(words, width), width)
}
