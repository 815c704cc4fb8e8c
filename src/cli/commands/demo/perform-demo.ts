import { agentIdPrefix } from '../../../personas/roles.ts'
import type { Store } from '../../../store/store.ts'
import { AXIOM } from '../../../vocabulary/axiom.ts'
import type { Context } from '../../context.ts'
import { facesOf } from '../../render/agent-face.ts'
import type { InsideRun, RunInside } from '../../run-inside.ts'
import type { Output } from '../../terminal.ts'
import { watchOnScreen } from '../watch/watch-project.ts'
import { followStory } from './follow-story.ts'
import type { Narrator } from './narrator.ts'
import type { PreparedDemo } from './prepare-demo.ts'

const RUN = ['run', '--autopilot', '--non-interactive', '--json'] as const
/** No terminal shows more of them. */
const STORY_LINES_MAX = 100

/** Runs the autopilot while printing or drawing its progress. */
export async function performDemo(
  context: Context,
  { exit, seed, runInside }: { readonly exit: boolean; readonly seed: number; readonly runInside: RunInside },
  narrator: Narrator,
  { root, playbook }: PreparedDemo,
  store: Store,
): Promise<InsideRun> {
  const env = { ...context.env, AXIOM_SIM_PLAYBOOK: playbook, AXIOM_SIM_SEED: String(seed) }
  const running = runInside(root, RUN, env)
  const { screen } = context
  if (screen !== undefined && !exit && !context.json) return draw(context, screen, root, store, running)
  const over = new AbortController()
  const telling = followStory(store, (line) => narrator.tell(line), over.signal)
  try {
    return await running
  } finally {
    over.abort()
    await telling
  }
}

/** On a terminal: the live dashboard with the story in it, until the user quits. */
async function draw(
  context: Context,
  screen: Output,
  root: string,
  store: Store,
  running: Promise<InsideRun>,
): Promise<InsideRun> {
  let story: readonly string[] = []
  let note = WORKING
  const over = new AbortController()
  const face = facesOf(AXIOM)
  const telling = followStory(
    store,
    ({ who, text }) => {
      story = [...story, `${face(agentIdPrefix(AXIOM, who)).emoji} ${text}`].slice(-STORY_LINES_MAX)
    },
    over.signal,
  )
  const ended = running.finally(() => {
    note = ENDED
  })
  try {
    await watchOnScreen(context, screen, store, { root, vocabulary: AXIOM }, () => ({ note, story }))
    // Quitting before the end stops the run, exactly as a SIGTERM from outside does.
    if (note === WORKING) process.emit('SIGTERM', 'SIGTERM')
    return await ended
  } finally {
    over.abort()
    await telling
  }
}

const WORKING = 'The agents are simulated, everything else is real · q ends the demo'
const ENDED = 'All that can be done is done · q tells how it ended, and what to type in your repository'
