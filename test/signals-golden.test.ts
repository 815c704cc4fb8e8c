import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chooseSignal } from '../src/signals/choose-signal.ts'
import type { Role } from '../src/signals/definition.ts'
import type { Finding } from '../src/signals/finding.ts'
import { inOrder, SignalParser } from '../src/signals/signal-parser.ts'
import { AXIOM_SIGNAL_NAMES, SWARM_SIGNAL_NAMES } from '../src/vocabulary/signal-names.ts'
import { expectGolden } from './golden.ts'

const folder = resolve(import.meta.dirname, 'golden/signals')
const transcripts = readdirSync(folder)
  .filter((file) => file.endsWith('.txt'))
  .map((file) => file.replace('.txt', ''))

/** A line with nothing but a form feed stands between two messages. */
const MESSAGE_BREAK = '\f\n'
const ROLES_BY_PREFIX: Readonly<Record<string, Role>> = {
  developer: 'developer',
  critic: 'critic',
  auditor: 'auditor',
  analyst: 'analyst',
  remediator: 'remediator',
  health: 'health-auditor',
  'expert-created': 'director',
  expert: 'expert',
  resolver: 'resolver',
  planner: 'planner',
  onboarding: 'onboarding',
  lead: 'lead',
}

function speakerOf(name: string) {
  const prefix = Object.keys(ROLES_BY_PREFIX).find((start) => name.startsWith(`${start}`))
  return {
    names: name.startsWith('swarm') ? SWARM_SIGNAL_NAMES : AXIOM_SIGNAL_NAMES,
    role: ROLES_BY_PREFIX[prefix ?? ''],
    task: 'task-042',
  }
}

function messagesOf(name: string): Uint8Array[] {
  const text = readFileSync(resolve(folder, `${name}.txt`)).toString('latin1')
  return text.split(MESSAGE_BREAK).map((message) => Buffer.from(message, 'latin1'))
}

function read(name: string, pieceBytes: number): Finding[] {
  const parser = new SignalParser(speakerOf(name))
  const findings: Finding[] = []
  for (const message of messagesOf(name)) {
    for (let at = 0; at < message.length; at += pieceBytes) {
      findings.push(...parser.feed(message.subarray(at, at + pieceBytes)))
    }
    findings.push(...parser.endMessage())
  }
  return [...findings, ...parser.end()]
}

describe('golden transcripts', () => {
  it('are many', () => {
    expect(transcripts.length).toBeGreaterThanOrEqual(40)
  })

  it.each(transcripts)('%s', (name) => {
    const findings = inOrder(read(name, Number.MAX_SAFE_INTEGER))
    const chosen = chooseSignal(findings.filter((finding) => finding.kind === 'signal'))
    expectGolden(
      `signals/${name}.json`,
      `${JSON.stringify({ chosen: chosen?.type ?? null, findings }, null, 2)}\n`,
    )
  })

  it.each(transcripts)('%s reads the same in pieces', (name) => {
    const whole = read(name, Number.MAX_SAFE_INTEGER)
    for (const pieceBytes of [1, 2, 3, 5, 64]) expect(read(name, pieceBytes)).toEqual(whole)
  })

  it('let no spoof complete anything', () => {
    const spoofs = transcripts.filter((name) => name.startsWith('spoof-'))
    expect(spoofs.length).toBeGreaterThanOrEqual(8)
    for (const name of spoofs) {
      expect(
        read(name, 4096).filter(({ kind }) => kind === 'signal'),
        name,
      ).toEqual([])
    }
  })
})
