import type { ScopeName } from '../contract.ts'

const SCOPES: readonly ScopeName[] = ['agents', 'cases', 'queue', 'weather', 'inbox', 'alerts', 'health']

/** The rows as last sent, each encoded once: for its delta, for every snapshot and for the comparison. */
export class RowBook {
  readonly #rows = new Map(SCOPES.map((scope) => [scope, new Map<string, string>()]))
  readonly #changed = new Map(SCOPES.map((scope) => [scope, new Set<string>()]))
  readonly #removed = new Map(SCOPES.map((scope) => [scope, new Set<string>()]))

  put(scope: ScopeName, key: string, row: object): void {
    const rows = this.#of(this.#rows, scope)
    const text = JSON.stringify(row)
    if (rows.get(key) === text) return
    rows.set(key, text)
    this.#of(this.#changed, scope).add(key)
    this.#of(this.#removed, scope).delete(key)
  }

  remove(scope: ScopeName, key: string): void {
    if (!this.#of(this.#rows, scope).delete(key)) return
    this.#of(this.#changed, scope).delete(key)
    this.#of(this.#removed, scope).add(key)
  }

  /** Sets all rows of a scope: rows that are not given are removed. */
  settle<Row extends object>(scope: ScopeName, rows: readonly Row[], keyOf: (row: Row) => string): void {
    const keys = new Set(rows.map(keyOf))
    for (const key of [...this.#of(this.#rows, scope).keys()]) if (!keys.has(key)) this.remove(scope, key)
    for (const row of rows) this.put(scope, keyOf(row), row)
  }

  /** The changes since the last call, as the inside of a delta; undefined when there are none. */
  takeChanges(): string | undefined {
    const upserts = this.#fields(this.#changed, (scope, keys) =>
      keys.map((key) => this.#of(this.#rows, scope).get(key) ?? 'null').join(','),
    )
    const removes = this.#fields(this.#removed, (_, keys) => keys.map((key) => JSON.stringify(key)).join(','))
    for (const scope of SCOPES) {
      this.#of(this.#changed, scope).clear()
      this.#of(this.#removed, scope).clear()
    }
    return upserts === '' && removes === '' ? undefined : `"upserts":{${upserts}},"removes":{${removes}}`
  }

  /** Every row, as the inside of a snapshot. */
  all(): string {
    return SCOPES.map((scope) => `"${scope}":[${[...this.#of(this.#rows, scope).values()].join(',')}]`).join(
      ',',
    )
  }

  #fields(
    sets: ReadonlyMap<ScopeName, ReadonlySet<string>>,
    encode: (scope: ScopeName, keys: readonly string[]) => string,
  ): string {
    return SCOPES.filter((scope) => this.#of(sets, scope).size > 0)
      .map((scope) => `"${scope}":[${encode(scope, [...this.#of(sets, scope)])}]`)
      .join(',')
  }

  #of<Value>(map: ReadonlyMap<ScopeName, Value>, scope: ScopeName): Value {
    return map.get(scope) as Value
  }
}
