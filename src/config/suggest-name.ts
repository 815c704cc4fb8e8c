/** A third of the letters wrong is still likely the same word; more is another word. */
const MISTAKES_SHARE_MAX = 1 / 3

/** The known name that a person most likely meant, or undefined when none is close. */
export function suggestName(typed: string, known: readonly string[]): string | undefined {
  const wanted = plain(typed)
  let best: { name: string; mistakes: number } | undefined
  for (const name of known) {
    const mistakes = countEdits(wanted, plain(name))
    const allowed = Math.max(1, Math.floor(name.length * MISTAKES_SHARE_MAX))
    if (mistakes <= allowed && (best === undefined || mistakes < best.mistakes)) best = { name, mistakes }
  }
  return best?.name
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** Insertions, deletions and replacements between two words. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
