import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import { fence, oneLine } from './fence.ts'
import { IMPACTS, type KnownDiscovery } from './prompt-input.ts'

/** One block for all, a line each with its source; ordered by id, so that a new one is appended. */
export function discoveriesText(vocabulary: Vocabulary, discoveries: readonly KnownDiscovery[]): string {
  if (discoveries.length === 0) return ''
  const lines = discoveries.map(({ id, work, agent, category, impact, validated, content }) => {
    const source = [id, work, agent, category, impact, validated ? 'checked' : 'not checked'].map(oneLine)
    return `[${source.join(' · ')}] ${oneLine(content)}`
  })
  return [
    '# What the team has learnt',
    `Facts that agents met on earlier work here. Rely on them, but believe the code where it says otherwise, and report that.`,
    fence(`${vocabulary.nouns.discoveries} of this project, each with its source`, lines.join('\n')),
  ].join('\n\n')
}

/** Drops discoveries until the rest fits: the lowest impact first, then unchecked, then the oldest. */
export function keepUseful(
  discoveries: readonly KnownDiscovery[],
  fits: (kept: readonly KnownDiscovery[]) => boolean,
): { readonly kept: readonly KnownDiscovery[]; readonly leftOut: readonly string[] } {
  const leftOut: string[] = []
  let kept = discoveries
  for (const least of discoveries.toSorted((a, b) => weight(a) - weight(b))) {
    if (fits(kept)) break
    kept = kept.filter((discovery) => discovery !== least)
    leftOut.push(least.id)
  }
  return { kept, leftOut }
}

function weight({ impact, validated }: KnownDiscovery): number {
  return IMPACTS.indexOf(impact) * 2 + (validated ? 1 : 0)
}
