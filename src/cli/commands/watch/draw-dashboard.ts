import type { Summary } from '../../../events/summary.ts'
import { plainLine } from '../../render/plain-text.ts'
import { cutTo, fitText, textWidth } from '../../render/text-width.ts'
import { drawAgent } from './agent-card.ts'
import { type Easel, elapsedText, progressBar } from './easel.ts'

const KEYS = 'q quits · axiom inbox · axiom answer ID TEXT'
const CARD_WIDTH_MIN = 38
const GAP = 2
const ROWS_SHOWN = { queue: 5, inbox: 4, lately: 6 }

/** One frame of the dashboard, at most as high and as wide as the terminal. */
export function drawDashboard(easel: Easel, summary: Summary): string[] {
  const top = [...drawHeader(easel, summary), ...drawAgents(easel, summary)]
  const rest = [...drawQueue(easel, summary), ...drawInbox(easel, summary)]
  const foot = easel.colors.dim(cutTo(easel.note ?? KEYS, easel.width))
  const free = easel.height - 1 - top.length - rest.length
  const lately = drawLately(easel, summary, Math.min(ROWS_SHOWN.lately, free - 2))
  return [...[...top, ...rest, ...lately].slice(0, easel.height - 1), foot]
}

function drawHeader(easel: Easel, { project, tasks, agents, cost, discoveries }: Summary): string[] {
  const { colors, width } = easel
  const { done, total, failed } = tasks
  const facts = [
    project.mode,
    `${agents.filter(({ state }) => state !== 'holding').length} at work`,
    `${done}/${total} landed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(discoveries > 0 ? [`${discoveries} learnt`] : []),
    `$${cost.costUsd.toFixed(2)}`,
  ].join(' · ')
  const name = cutTo(plainLine(easel.project), Math.max(8, width - facts.length - 8))
  const shown = cutTo(facts, width - textWidth(name) - 8)
  const paused =
    project.paused === null ? [] : [colors.yellow(cutTo(`Paused: ${plainLine(project.paused)}`, width))]
  return [
    `${colors.bold(colors.yellow('AXIOM'))} ${colors.bold(name)}  ${shown}`,
    progressBar(easel, total === 0 ? 0 : (100 * done) / total, width),
    ...paused,
  ]
}

function drawAgents(easel: Easel, { agents, board }: Summary): string[] {
  const { colors, width, height } = easel
  if (agents.length === 0) {
    const waiting = board.ready.length
    return [
      '',
      colors.dim(waiting > 0 ? `Nobody is at work; ${waiting} tasks are ready.` : 'Nobody is at work.'),
    ]
  }
  const columns = Math.max(1, Math.min(3, Math.floor((width + GAP) / (CARD_WIDTH_MIN + GAP))))
  const cardWidth = Math.floor((width - GAP * (columns - 1)) / columns)
  const rowsMax = Math.max(1, Math.floor((height - 8) / 4))
  const shown = agents.slice(0, columns * rowsMax)
  const lines: string[] = []
  for (let at = 0; at < shown.length; at += columns) {
    const cards = shown.slice(at, at + columns).map((card) => drawAgent(easel, card, cardWidth))
    lines.push(
      '',
      ...[0, 1, 2].map((line) =>
        cards
          .map((card) => card[line])
          .join(' '.repeat(GAP))
          .trimEnd(),
      ),
    )
  }
  const more = agents.length - shown.length
  return more > 0 ? [...lines, colors.dim(`and ${more} more agents`)] : lines
}

function drawQueue(easel: Easel, { queue }: Summary): string[] {
  const { colors, width, nowMs } = easel
  const rows = queue.map(({ id, title, since, resolver, refused }) => {
    const state =
      resolver !== null ? `${plainLine(resolver)} resolves` : refused > 0 ? `sent back ${refused}×` : 'lands'
    const age = elapsedText(Math.max(0, nowMs - Date.parse(since)))
    const note = `${state} ${age}`
    return `  ${plainLine(id)} ${fitText(plainLine(title), width - id.length - note.length - 4)} ${colors.dim(note)}`
  })
  return section(colors.bold('Landing'), rows, ROWS_SHOWN.queue)
}

function drawInbox(easel: Easel, { inbox }: Summary): string[] {
  const { colors, width } = easel
  const rows = inbox.map(({ id, question, fallback, waiting }) => {
    const note = [fallback === null ? '' : `default ${plainLine(fallback)}`, `holds ${waiting.length}`]
      .filter(Boolean)
      .join(', ')
    const room = width - id.length - 4
    const text = fitText(plainLine(question), Math.max(10, room - note.length - 1))
    return `  ${colors.magenta(plainLine(id))} ${text} ${colors.dim(cutTo(note, room))}`
  })
  return section(colors.bold(colors.magenta('For you')), rows, ROWS_SHOWN.inbox)
}

function drawLately({ colors, width, story }: Easel, { timeline }: Summary, shown: number): string[] {
  if (story && shown > 0)
    return ['', colors.bold('Story'), ...story.slice(-shown).map((line) => cutTo(plainLine(line), width))]
  if (shown < 1 || timeline.length === 0) return []
  const rows = timeline.slice(-shown).map(({ at, id, by, what, reason }) => {
    const head = `${at.slice(11, 19)} ${plainLine(id).padEnd(9)} ${what}`
    return `  ${colors.dim(head)} ${cutTo(plainLine(`${reason} (${by})`), width - head.length - 3)}`
  })
  return ['', colors.bold('Lately'), ...rows]
}

function section(title: string, rows: readonly string[], shown: number): string[] {
  if (rows.length === 0) return []
  const more = rows.length > shown ? [`  and ${rows.length - shown} more`] : []
  return ['', `${title} (${rows.length})`, ...rows.slice(0, shown), ...more]
}
