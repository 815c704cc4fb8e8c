import { join } from 'node:path'
import type { WaitingReview } from '../../project/interventions/waiting-reviews.ts'
import type { Colors } from '../context.ts'
import { plainLine } from './plain-text.ts'

const COMMIT_CHARACTERS = 12

/** The waiting reviews: single ones first, then the batch. */
export function reviewList(colors: Colors, reviews: readonly WaitingReview[]): string {
  if (reviews.length === 0) return 'Nothing waits for a look.'
  const alone = reviews.filter(({ part }) => part === 'alone')
  const together = reviews.filter(({ part }) => part === 'together')
  return [
    ...alone.map((review) => line(colors, review)),
    ...(together.length > 0 ? [colors.dim(`a batch of ${together.length}:`)] : []),
    ...together.map((review) => line(colors, review)),
    colors.dim('axiom review ID shows one; axiom review ID approve, or changes --note TEXT'),
  ].join('\n')
}

function line(colors: Colors, { id, title, commit, iterations, changes, flagged }: WaitingReview): string {
  const size = changes === null ? '' : `, ${changes.files} files +${changes.added} -${changes.removed}`
  const warning = flagged.length === 0 ? '' : colors.yellow('; changes its own checks')
  const facts = colors.dim(`${commit.slice(0, COMMIT_CHARACTERS)}, ${iterations} iterations${size}`)
  return `${colors.magenta('◐')} ${colors.bold(id)}  ${plainLine(title)}  ${facts}${warning}`
}

/** One change with its evidence. */
export function reviewDetails(colors: Colors, projectFolder: string, review: WaitingReview): string {
  const { rounds, criteria, evidence, findings, flagged, commit } = review
  const repository = join(projectFolder, 'integration.git')
  return [
    line(colors, review),
    ...section(colors, 'criteria', criteria),
    ...section(colors, 'evidence', evidence),
    ...section(
      colors,
      `found on the way (${rounds.review} reviews, ${rounds.audit} audits refused it)`,
      findings,
    ),
    ...section(colors, 'changes to its own checks', flagged),
    colors.dim(`the change: git -C ${repository} show ${commit}`),
  ].join('\n')
}

function section(colors: Colors, title: string, lines: readonly string[]): string[] {
  return lines.length === 0
    ? []
    : [`  ${colors.dim(title)}`, ...lines.map((text) => `    ${plainLine(text)}`)]
}
