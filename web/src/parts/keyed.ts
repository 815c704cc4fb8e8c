/** Adds React keys: the name of an item, with a number for duplicates. */
export function keyed<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
): { readonly key: string; readonly item: T }[] {
  const seen = new Map<string, number>()
  return items.map((item) => {
    const name = nameOf(item)
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return { key: count === 1 ? name : `${name} ${count}`, item }
  })
}
