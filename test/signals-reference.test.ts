import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { renderReference } from '../src/signals/render-reference.ts'
import { parseSignals } from '../src/signals/signal-parser.ts'
import { AXIOM_SIGNAL_NAMES, SWARM_SIGNAL_NAMES } from '../src/vocabulary/signal-names.ts'

const path = resolve(import.meta.dirname, '../docs/signals.md')
const page = renderReference(AXIOM_SIGNAL_NAMES, [SWARM_SIGNAL_NAMES])

it('docs/signals.md says what the registry says', () => {
  if (process.env.UPDATE_GOLDEN) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, page)
  }
  expect(existsSync(path), 'docs/signals.md is missing; npm run golden writes it').toBe(true)
  expect(readFileSync(path, 'utf8'), 'npm run golden writes it anew').toBe(page)
})

it('an agent that prints the page says nothing by it', () => {
  for (const names of [AXIOM_SIGNAL_NAMES, SWARM_SIGNAL_NAMES]) {
    expect(parseSignals([page], { names })).toEqual({ signals: [], problems: [] })
  }
})
