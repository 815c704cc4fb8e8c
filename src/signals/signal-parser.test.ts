import { describe, expect, it } from 'vitest'
import { chooseSignal } from './choose-signal.ts'
import { ROLES, type Role } from './definition.ts'
import { describeSignals } from './describe-signals.ts'
import type { Finding } from './finding.ts'
import { LINE_BYTES_MAX, PROBLEM_REPEATS_MAX, REMARKS_PER_ITERATION_MAX } from './limits.ts'
import type { SignalNames } from './signal-names.ts'
import { inOrder, parseSignals, SignalParser } from './signal-parser.ts'

const AXIOM: SignalNames = { tag: 'axiom', names: {} }
const SWARM: SignalNames = {
  tag: 'swarm',
  names: { PENDING: 'NEEDS_HUMAN', DISCOVERY_LOCAL: 'LEARNING_LOCAL', DISCOVERY_GLOBAL: 'LEARNING_GLOBAL' },
}

interface Speaker {
  role?: Role
  task?: string
}

/** Everything found in one message, in short. */
function read(text: string | Uint8Array, names = AXIOM, speaker: Speaker = {}): string[] {
  const { signals, problems } = parseSignals([text], { names, ...speaker })
  return inOrder([...signals, ...problems]).map(inShort)
}

function inShort(finding: Finding): string {
  if (finding.kind === 'problem') return finding.code
  return finding.payload === null ? finding.type : `${finding.type}:${finding.payload}`
}

describe('valid tags', () => {
  it.each([
    ['<axiom>COMPLETE</axiom>', 'COMPLETE'],
    ['<axiom>BLOCKED:Database locked</axiom>', 'BLOCKED:Database locked'],
    ['<axiom>PENDING:Need API key</axiom>', 'PENDING:Need API key'],
    ['<axiom>PROGRESS:75</axiom>', 'PROGRESS:75'],
    ['<axiom>RESOLVED</axiom>', 'RESOLVED'],
    ['<axiom>DISCOVERY_LOCAL:API uses JWT</axiom>', 'DISCOVERY_LOCAL:API uses JWT'],
    ['<axiom>DISCOVERY_GLOBAL:Rate limit 100/min</axiom>', 'DISCOVERY_GLOBAL:Rate limit 100/min'],
    ['<axiom>AVA_COMPLETE</axiom>', 'AVA_COMPLETE'],
    ['<axiom>PHASE_COMPLETE</axiom>', 'PHASE_COMPLETE'],
    ['<axiom>PHASE_COMPLETE:ANALYZE</axiom>', 'PHASE_COMPLETE:ANALYZE'],
    ['<axiom>PROGRESS:0</axiom>', 'PROGRESS:0'],
    ['<axiom>PROGRESS:100</axiom>', 'PROGRESS:100'],
    ['  **<axiom>COMPLETE</axiom>**  ', 'COMPLETE'],
    ['All tests pass. <axiom>COMPLETE</axiom>', 'COMPLETE'],
    ['All tests pass.\u00a0<axiom>COMPLETE</axiom>', 'COMPLETE'],
    ['Is the key there? <axiom>PENDING:Need API key</axiom>', 'PENDING:Need API key'],
    ['<axiom>BLOCKED:`x` has no export: y</axiom>', 'BLOCKED:`x` has no export: y'],
    [`<axiom>BLOCKED:${'é'.repeat(4000)}</axiom>`, `BLOCKED:${'é'.repeat(4000)}`],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual([expected])
  })

  it.each([
    ['<swarm>COMPLETE</swarm>', 'COMPLETE'],
    [
      '<swarm>NEEDS_HUMAN:Cannot determine correct API version</swarm>',
      'NEEDS_HUMAN:Cannot determine correct API version',
    ],
    ['<swarm>LEARNING_LOCAL:x</swarm>', 'LEARNING_LOCAL:x'],
    [
      '<swarm>LEARNING_GLOBAL:All API endpoints require rate limiting</swarm>',
      'LEARNING_GLOBAL:All API endpoints require rate limiting',
    ],
    ['<swarm>PENDING:x</swarm>', 'SIGNAL_UNKNOWN_TYPE'],
    ['[SWARM:COMPLETE]', 'SIGNAL_MALFORMED'],
    ['<SWARM>COMPLETE</SWARM>', 'SIGNAL_MALFORMED'],
  ])('%s in the swarm vocabulary', (text, expected) => {
    expect(read(text, SWARM)).toEqual([expected])
  })

  it('keeps the name of the registry beside the spoken one', () => {
    const { signals } = parseSignals(['<swarm>NEEDS_HUMAN:key?</swarm>'], { names: SWARM })
    expect(signals[0]).toMatchObject({
      type: 'NEEDS_HUMAN',
      name: 'PENDING',
      handler: 'AWAIT_DIVINE_RESPONSE',
    })
  })

  it('leaves the tags of another vocabulary alone', () => {
    expect(read('<axiom>COMPLETE</axiom>', SWARM)).toEqual([])
  })
})

describe('invalid tags', () => {
  it.each([
    ['<axiom>COMPLET</axiom>', 'SIGNAL_UNKNOWN_TYPE'],
    ['<axiom>complete</axiom>', 'SIGNAL_UNKNOWN_TYPE'],
    ['<axiom>BLOCKED</axiom>', 'SIGNAL_MISSING_PAYLOAD'],
    ['<axiom>BLOCKED:</axiom>', 'SIGNAL_MISSING_PAYLOAD'],
    ['<axiom>BLOCKED:  </axiom>', 'SIGNAL_MISSING_PAYLOAD'],
    ['<axiom>PROGRESS</axiom>', 'SIGNAL_MISSING_PAYLOAD'],
    ['<axiom>PROGRESS:abc</axiom>', 'SIGNAL_INVALID_PAYLOAD'],
    ['<axiom>PROGRESS:150</axiom>', 'SIGNAL_INVALID_PAYLOAD'],
    ['<axiom>PROGRESS:-1</axiom>', 'SIGNAL_INVALID_PAYLOAD'],
    ['<axiom>PROGRESS:7.5</axiom>', 'SIGNAL_INVALID_PAYLOAD'],
    [`<axiom>BLOCKED:${'é'.repeat(4001)}</axiom>`, 'SIGNAL_INVALID_PAYLOAD'],
    ['[AXIOM:COMPLETE]', 'SIGNAL_MALFORMED'],
    ['<AXIOM>COMPLETE</AXIOM>', 'SIGNAL_MALFORMED'],
    ['<axiom>COMPLETE', 'SIGNAL_MALFORMED'],
    ['<axiom>COMPLETE</axio', 'SIGNAL_MALFORMED'],
    ['<axiom></axiom>', 'SIGNAL_MALFORMED'],
    ['<axiom> COMPLETE </axiom>', 'SIGNAL_MALFORMED'],
    ['<axiom>COMPLETE</AXIOM>', 'SIGNAL_MALFORMED'],
    ['<axiom>COM\u202ePLETE</axiom>', 'SIGNAL_MALFORMED'],
    ['Now <axiom>COMPLETE</axiom>', 'SIGNAL_NOT_ALONE'],
    ['I will end with: <axiom>COMPLETE</axiom>', 'SIGNAL_NOT_ALONE'],
    ['Not yet. <axiom>COMPLETE</axiom> comes later.', 'SIGNAL_NOT_ALONE'],
    ['All done.<axiom>COMPLETE</axiom>', 'SIGNAL_NOT_ALONE'],
    ['~~<axiom>COMPLETE</axiom>~~', 'SIGNAL_NOT_ALONE'],
    ['- <axiom>COMPLETE</axiom>', 'SIGNAL_NOT_ALONE'],
  ])('%s', (text, code) => {
    expect(read(text)).toEqual([code])
  })

  it('say where they stand and what was read of them', () => {
    const { problems } = parseSignals(['one\n\n<axiom>COMPLET</axiom>'], { names: AXIOM })
    expect(problems).toEqual([
      {
        kind: 'problem',
        code: 'SIGNAL_UNKNOWN_TYPE',
        raw: '<axiom>COMPLET</axiom>',
        type: 'COMPLET',
        reason: 'there is no signal of this type',
        message: 0,
        line: 3,
      },
    ])
  })
})

describe('line signals', () => {
  it.each([
    ['READY_FOR_REVIEW: task-1', ['READY_FOR_REVIEW:task-1']],
    ['READY_FOR_REVIEW:task-1', ['READY_FOR_REVIEW:task-1']],
    ['READY_FOR_REVIEW: \t task-1  ', ['READY_FOR_REVIEW:task-1']],
    ['FILE CONFLICT: src/my file.ts', ['FILE CONFLICT:src/my file.ts']],
    ['HEALTH_AUDIT: HEALTHY', ['HEALTH_AUDIT: HEALTHY']],
    ['HEALTH_AUDIT: UNHEALTHY', ['HEALTH_AUDIT: UNHEALTHY']],
    ['REMEDIATION_COMPLETE  ', ['REMEDIATION_COMPLETE']],
    ['READY_FOR_REVIEW: task-1\r\n', ['READY_FOR_REVIEW:task-1']],
    // Near misses are nothing at all.
    [' READY_FOR_REVIEW: task-1', []],
    ['**READY_FOR_REVIEW: task-1**', []],
    ['this is READY_FOR_REVIEW: task-1', []],
    ['READY_FOR_REVIEW task-1', []],
    ['READY_FOR_REVIEW:\ntask-1', []],
    ['Ready_For_Review: task-1', []],
    ['READY_FOR_REVIEWS: task-1', []],
    ['HEALTH_AUDIT: HEALTHY enough', []],
    ['REMEDIATION_COMPLETE: yes', []],
    ['> READY_FOR_REVIEW: task-1', []],
  ])('%j', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })
})

describe('markers', () => {
  it('carry their JSON as a typed body', () => {
    const text = '[AGENT_STATUS] {"agents":[{"name":"Lyra","status":"alive","gridPosition":0}]}'
    expect(parseSignals([text], { names: AXIOM }).signals[0]).toMatchObject({
      notation: 'marker',
      type: 'AGENT_STATUS',
      body: { agents: [{ name: 'Lyra', status: 'alive', gridPosition: 0 }] },
    })
  })

  it.each([
    ['[AGENT_STATUS] {"agents":[}', 'SIGNAL_INVALID_PAYLOAD'],
    ['[AGENT_STATUS] {"agents":3}', 'SIGNAL_INVALID_PAYLOAD'],
    [
      '[AGENT_STATUS] {"agents":[{"name":"Lyra","status":"alive","gridPosition":9}]}',
      'SIGNAL_INVALID_PAYLOAD',
    ],
    ['[AGENT_STATUS]', 'SIGNAL_MISSING_PAYLOAD'],
    ['[AGENT_REGISTERED] {"name":"","gridPosition":1}', 'SIGNAL_INVALID_PAYLOAD'],
    [`[AGENT_STATUS] ${'['.repeat(50_000)}`, 'SIGNAL_INVALID_PAYLOAD'],
  ])('%.60s is a problem, not a crash', (text, code) => {
    expect(read(text)).toEqual([code])
  })

  it.each([
    'see [AGENT_STATUS] {"agents":[]}',
    '`[AGENT_STATUS] {"agents":[]}`',
    '[SUMMON AGENTS]',
    '[WAKE AGENTS]',
  ])('%s is nothing', (text) => {
    expect(read(text)).toEqual([])
  })
})

describe("what is not the agent's own speech", () => {
  const signal = '<axiom>COMPLETE</axiom>'
  it.each([
    ['a fence', `\`\`\`\n${signal}\nREADY_FOR_REVIEW: task-1\n\`\`\``],
    ['a fence with an info string', `\`\`\`text title=x\n${signal}\n\`\`\``],
    ['a long fence around a short one', `\`\`\`\`md\n\`\`\`\n${signal}\n\`\`\`\n${signal}\n\`\`\`\``],
    ['tildes around backticks', `~~~\n\`\`\`\n${signal}\n\`\`\`\n${signal}\n~~~`],
    ['an unclosed fence', `\`\`\`\n${signal}\n\nREADY_FOR_REVIEW: task-1`],
    ['an indented fence', `   ~~~~\n${signal}\n  ~~~\n${signal}\n   ~~~~~`],
    ['a fence behind a list marker', `1. \`\`\`\n   ${signal}\n   \`\`\``],
    ['a code span', `\`${signal}\``],
    ['a double code span', `\`\`a \` ${signal}\`\``],
    ['a code span over lines', `say \`this\n${signal}\nREADY_FOR_REVIEW: task-1\n\` at the end`],
    ['a quotation', `> ${signal}\n> READY_FOR_REVIEW: task-1`],
    ['indented code', `    ${signal}\n\t${signal}`],
    ['a terminal title', `\u001b]0;${signal}\u0007`],
  ])('%s says nothing', (_, text) => {
    expect(read(text)).toEqual([])
  })

  it.each([
    ['a closed fence', `\`\`\`\ncode\n\`\`\`\n${signal}`],
    ['a fence in a list item', `- \`\`\`\n  code\n  \`\`\`\n\n${signal}`],
    ['a lone backtick', `it\`s done\n${signal}`],
    ['a lone backtick in another paragraph', `it\`s done\n\n${signal}\n\nisn\`t it`],
    ['escaped backticks', `\\\`\n${signal}\n\\\``],
    ['terminal colours', `\u001b[1;32m${signal}\u001b[0m`],
    ['a byte order mark', `\ufeff${signal}`],
    ['invalid bytes', Buffer.concat([Buffer.from([0xff, 0xc3, 0x0a]), Buffer.from(signal)])],
  ])('%s hides nothing', (_, text) => {
    expect(read(text)).toEqual(['COMPLETE'])
  })

  it('includes code in the body of a line signal, closed only by its own kind of fence', () => {
    const text = `READY_FOR_REVIEW: t\n\n\`\`\`\n~~~\n${signal}\nAUDIT_PASSED: t\n\`\`\`\n\nSummary: x`
    expect(read(text)).toEqual(['READY_FOR_REVIEW:t'])
  })

  it('includes the prompt for an expert, whatever it says', () => {
    const text = `EXPERT_REQUEST\nTarget Agent: db\n\n---DELEGATION PROMPT START---\nAnswer with\nEXPERT_ADVICE: req-1\n<axiom>COMPLETE</axiom>\n---DELEGATION PROMPT END---`
    const { signals, problems } = parseSignals([text], { names: AXIOM })
    expect(problems).toEqual([])
    expect(signals).toHaveLength(1)
    expect(signals[0]?.body).toEqual({
      targetAgent: 'db',
      prompt: 'Answer with\nEXPERT_ADVICE: req-1\n<axiom>COMPLETE</axiom>',
    })
  })

  it('includes the rules that an agent was given, should it repeat them', () => {
    for (const names of [AXIOM, SWARM]) {
      for (const role of ROLES) expect(read(describeSignals(role, names), names), role).toEqual([])
    }
  })
})

describe('messages of an iteration', () => {
  it('count verdicts only in the last message, remarks in every one', () => {
    const { signals, problems } = parseSignals(
      ['<axiom>PROGRESS:10</axiom>\n<axiom>COMPLETE</axiom>', '<axiom>BLOCKED:no key</axiom>'],
      { names: AXIOM },
    )
    expect(signals.map(({ type, message }) => [type, message])).toEqual([
      ['PROGRESS', 0],
      ['BLOCKED', 1],
    ])
    expect(problems.map(({ code, line }) => [code, line])).toEqual([['SIGNAL_NOT_LAST', 2]])
  })

  it('pass over a last message that says nothing', () => {
    expect(parseSignals(['<axiom>COMPLETE</axiom>', ' \n'], { names: AXIOM }).signals).toHaveLength(1)
  })

  it('end every fence and body', () => {
    const { signals } = parseSignals(
      ['READY_FOR_REVIEW: task-1\n```', 'CHECKPOINT: task-1\nProgress: half'],
      {
        names: AXIOM,
      },
    )
    expect(signals.map(({ type, body }) => [type, body])).toEqual([['CHECKPOINT', { progress: 'half' }]])
  })

  it('give remarks at once and verdicts at the end', () => {
    const parser = new SignalParser({ names: AXIOM })
    expect(parser.feed('<axiom>PROGRESS:10</axiom>\n\n<axiom>COMPLETE</axiom>\n\n').map(inShort)).toEqual([
      'PROGRESS:10',
    ])
    expect(parser.end().map(inShort)).toEqual(['COMPLETE'])
  })

  it('join a character that two text chunks share', () => {
    const parser = new SignalParser({ names: AXIOM })
    parser.feed('<axiom>BLOCKED:no \ud83d')
    parser.feed('\ude00 left</axiom>')
    expect(parser.end().map(inShort)).toEqual(['BLOCKED:no 😀 left'])
  })
})

describe('senders and tasks', () => {
  it.each([
    ['<axiom>COMPLETE</axiom>', 'critic', 'SIGNAL_WRONG_SENDER'],
    ['REVIEW_PASSED: task-1', 'developer', 'SIGNAL_WRONG_SENDER'],
    ['EXPERT_REQUEST', 'expert', 'SIGNAL_WRONG_SENDER'],
    ['SEEKING_DIVINE_CLARIFICATION', 'critic', 'SIGNAL_WRONG_SENDER'],
    ['<axiom>RESOLVED</axiom>', 'developer', 'SIGNAL_WRONG_SENDER'],
    ['[AGENT_STATUS] {"agents":[]}', 'developer', 'SIGNAL_WRONG_SENDER'],
    ['REVIEW_PASSED: task-2', 'critic', 'SIGNAL_FOREIGN_TASK'],
    ['SEEKING_DIVINE_CLARIFICATION\n\nTask: task-2', 'developer', 'SIGNAL_FOREIGN_TASK'],
    ['<axiom>PENDING:x</axiom>', 'critic', 'PENDING:x'],
    ['REVIEW_PASSED: task-1.', 'critic', 'REVIEW_PASSED:task-1.'],
  ] as const)('%s from a %s', (text, role, expected) => {
    expect(read(text, AXIOM, { role, task: 'task-1' })).toEqual([expected])
    if (expected.startsWith('SIGNAL_')) expect(read(text)).not.toEqual([expected])
  })

  it('give a tag the task of its sender', () => {
    const { signals } = parseSignals(['<axiom>COMPLETE</axiom>'], { names: AXIOM, task: 'task-7' })
    expect(signals[0]?.task).toBe('task-7')
  })
})

describe('bounds', () => {
  it('cut a long line, which then is no signal', () => {
    const fill = (bytes: number) => `<axiom>PROGRESS:5</axiom>${' '.repeat(bytes - 25)}`
    expect(read(fill(LINE_BYTES_MAX))).toEqual(['PROGRESS:5'])
    expect(read(fill(LINE_BYTES_MAX + 1))).toEqual([])
    expect(read(`${fill(LINE_BYTES_MAX + 1)}\n<axiom>COMPLETE</axiom>`)).toEqual(['COMPLETE'])
  })

  it('keep few of the same problem and all the verdicts that matter', () => {
    expect(read('<axiom>X</axiom>\n'.repeat(500))).toHaveLength(PROBLEM_REPEATS_MAX)
    const flood = read(
      `${'<axiom>PROGRESS:1</axiom>\n'.repeat(REMARKS_PER_ITERATION_MAX + 5)}<axiom>COMPLETE</axiom>`,
    )
    expect(flood).toHaveLength(REMARKS_PER_ITERATION_MAX + 2)
    expect(flood.slice(-2)).toEqual(['SIGNAL_FLOOD', 'COMPLETE'])
  })

  it('show hidden characters instead of passing them on', () => {
    expect(read('<axiom>BLOCKED:a\u202eb</axiom>')).toEqual(['BLOCKED:a[U+202E]b'])
  })
})

describe('the choice among several', () => {
  it.each([
    ['READY_FOR_REVIEW: t\n\nINFRA_BLOCKED: t', 'INFRA_BLOCKED'],
    ['AUDIT_BLOCKED: t\n\nAUDIT_PASSED: t', 'AUDIT_BLOCKED'],
    ['<axiom>PENDING:x</axiom>\n\nEXPERT_REQUEST', 'PENDING'],
    ['FILE CONFLICT: a.ts\n\nREADY_FOR_REVIEW: t', 'FILE CONFLICT'],
    ['EXPERT_REQUEST\n\nFILE CONFLICT: a.ts', 'EXPERT_REQUEST'],
    ['REVIEW_FAILED: t\n\nREVIEW_PASSED: t', 'REVIEW_FAILED'],
    ['REVIEW_PASSED: t\n\nREVIEW_FAILED: t', 'REVIEW_FAILED'],
    ['AUDIT_FAILED: t\n\nAUDIT_PASSED: t', 'AUDIT_FAILED'],
    ['HEALTH_AUDIT: UNHEALTHY\n\nHEALTH_AUDIT: HEALTHY', 'HEALTH_AUDIT: UNHEALTHY'],
    ['REVIEW_FAILED: t\n\nREVIEW_PASSED: t\n\n<axiom>PENDING:x</axiom>', 'PENDING'],
    ['<axiom>COMPLETE</axiom>\n<axiom>BLOCKED:x</axiom>', 'BLOCKED'],
    ['<axiom>BLOCKED:x</axiom>\n<axiom>COMPLETE</axiom>', 'COMPLETE'],
  ])('%j', (text, expected) => {
    expect(chooseSignal(parseSignals([text], { names: AXIOM }).signals)?.type).toBe(expected)
  })

  it('is nothing where only remarks were made', () => {
    expect(
      chooseSignal(parseSignals(['<axiom>PROGRESS:5</axiom>\nCHECKPOINT: t'], { names: AXIOM }).signals),
    ).toBeNull()
  })
})
