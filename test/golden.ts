import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { expect } from 'vitest'

const folder = resolve(import.meta.dirname, 'golden')

/** Compares with `test/golden/<name>`; `UPDATE_GOLDEN=1` writes the file instead, to be read before it is committed. */
export function expectGolden(name: string, actual: string): void {
  const path = resolve(folder, name)
  if (process.env.UPDATE_GOLDEN) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, actual)
  }
  expect(existsSync(path), `test/golden/${name} is missing; UPDATE_GOLDEN=1 writes it`).toBe(true)
  expect(actual).toBe(readFileSync(path, 'utf8'))
}
