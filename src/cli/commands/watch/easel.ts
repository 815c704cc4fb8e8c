import type { Colors } from '../../context.ts'
import type { AgentFace } from '../../render/agent-face.ts'

/** The settings with which a frame is drawn. */
export interface Easel {
  readonly colors: Colors
  readonly width: number
  readonly height: number
  readonly nowMs: number
  readonly project: string
  /** The bottom line, in place of the keys. */
  readonly note?: string
  /** Story lines, in place of the events of the cases. */
  readonly story?: readonly string[]
  face(kind: string): AgentFace
}

const FULL = '█'
const EMPTY = '░'

export function progressBar({ colors }: Pick<Easel, 'colors'>, percent: number, width: number): string {
  const share = Math.min(100, Math.max(0, percent)) / 100
  const full = Math.round(share * width)
  return colors.green(FULL.repeat(full)) + colors.dim(EMPTY.repeat(width - full))
}

/** `0:07`, `12:30`, `2:03:00`. */
export function elapsedText(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}
