/** Where an entry goes that fits no rule, so that the categories always come to the whole. */
export const FALLBACK = 'other'

/** Names the category of an entry: the first rule whose words stand in its text. */
export function categoryOf(entry, rules) {
  const text = entry.text.toLowerCase()
  const rule = rules.find(({ words }) => words.some((word) => text.includes(word.toLowerCase())))
  return rule?.category ?? FALLBACK
}
