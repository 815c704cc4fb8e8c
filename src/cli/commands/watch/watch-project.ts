import { basename } from 'node:path'
import type { Summary } from '../../../events/summary.ts'
import { systemClock } from '../../../platform/clock.ts'
import { followSummary } from '../../../store/follow-summary.ts'
import type { Store } from '../../../store/store.ts'
import type { Context } from '../../context.ts'
import type { Project } from '../../project.ts'
import { facesOf } from '../../render/agent-face.ts'
import { jsonText } from '../../render/json-text.ts'
import { plainButColours } from '../../render/plain-text.ts'
import type { Output } from '../../terminal.ts'
import { drawDashboard } from './draw-dashboard.ts'
import type { Easel } from './easel.ts'
import { openScreen } from './live-screen.ts'

/** Elapsed times change even when no event arrives. */
const TICK_MS = 1_000

/** Draws the dashboard until the user quits. */
export async function watchOnScreen(
  context: Context,
  output: Output,
  store: Store,
  project: Pick<Project, 'root' | 'vocabulary'>,
  extras: () => Pick<Easel, 'note' | 'story'> = () => ({}),
): Promise<void> {
  using screen = openScreen(output, context.stdin)
  const face = facesOf(project.vocabulary)
  let last: Summary | undefined
  const draw = (): void => {
    if (last === undefined) return
    const easel = {
      colors: context.colors,
      width: screen.columns,
      height: screen.rows,
      nowMs: systemClock.now(),
      project: basename(project.root),
      face,
      ...extras(),
    }
    // The last filter: of all control sequences, only those of the frame and of colours pass.
    screen.draw(drawDashboard(easel, last).map(plainButColours))
  }
  screen.onResize(draw)
  const ticking = setInterval(draw, TICK_MS)
  try {
    for await (const summary of followSummary(store, screen.quitting)) {
      last = summary
      draw()
    }
  } finally {
    clearInterval(ticking)
  }
}

/** One line of JSON per update. */
export async function watchAsJson(context: Context, store: Store, signal: AbortSignal): Promise<void> {
  for await (const summary of followSummary(store, signal)) {
    context.out(jsonText({ type: 'picture', ...summary }))
  }
}
