import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandLineOf } from './command-line.ts'
import { KINDS_AGREE } from './commands/command-schema.ts'
import type { PersonCommand } from './contract.ts'

/** Every file that a program gets with this one. */
function closureOf(path: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  for (const [, target = ''] of readFileSync(path, 'utf8').matchAll(/from '(\.[^']+)'/g)) {
    closureOf(resolve(dirname(path), target), seen)
  }
  return seen
}

describe('the contract', () => {
  it('can be imported by a browser: no file of it knows Node', () => {
    const files = ['contract.ts', 'command-line.ts'].flatMap((name) => [
      ...closureOf(resolve(import.meta.dirname, name)),
    ])
    const guilty = files.filter((path) => /\bnode:|\bBuffer\b|\bprocess\./.test(readFileSync(path, 'utf8')))
    expect(files.length).toBeGreaterThan(6)
    expect(guilty).toEqual([])
  })

  it('has the same commands as the form that requests are held to', () => {
    // The compiler is the one who checks; here it is only seen that he did.
    expect(KINDS_AGREE).toBe(true)
  })
})

describe('the command line of an action', () => {
  const lines: readonly (readonly [PersonCommand, string])[] = [
    [{ kind: 'pause' }, 'axiom pause'],
    [{ kind: 'tell', agent: 'echo-001', text: "it's late" }, "axiom tell echo-001 'it'\\''s late'"],
    [
      { kind: 'mode', mode: 'autopilot', until: 'count:4', tags: ['api'] },
      'axiom run --autopilot --until count:4 --tag api',
    ],
    [
      { kind: 'review', task: 'task-001', decision: 'changes', note: 'no $(touch x)' },
      "axiom review task-001 changes --note 'no $(touch x)'",
    ],
    [{ kind: 'undepend', case: 'task-001', on: 'task-002' }, 'axiom case undepend task-001 task-002'],
    [
      { kind: 'create', type: 'task', content: 'a b', parentId: 'op-001', criteria: ['x'] },
      "axiom case create --type task --parent op-001 --content 'a b' --criterion x",
    ],
  ]
  it.each(lines)('of %j', (command, line) => {
    expect(commandLineOf(command)).toBe(line)
  })
})
