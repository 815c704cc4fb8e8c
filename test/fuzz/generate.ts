/** A small seeded generator: the same seed gives the same inputs on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0 || 1
  }

  below(bound: number): number {
    let x = this.#state
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    this.#state = x >>> 0
    return this.#state % bound
  }

  chance(percent: number): boolean {
    return this.below(100) < percent
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!
  }
}

const TYPES = [
  'COMPLETE',
  'BLOCKED',
  'PENDING',
  'PROGRESS',
  'RESOLVED',
  'DISCOVERY_LOCAL',
  'DISCOVERY_GLOBAL',
  'AVA_COMPLETE',
  'PHASE_COMPLETE',
  'NEEDS_HUMAN',
  'LEARNING_GLOBAL',
  'COMPLET',
  'complete',
  'PRO-GRESS',
  'X',
  '',
]
const PAYLOADS = [
  '',
  ':',
  ':75',
  ':100',
  ':101',
  ':007',
  ':7.5',
  ': 50 ',
  ':Database locked',
  ':needs `x` and y',
  ':a:b',
  ': ',
  ':é\u202e\u0000',
  ':<b>',
  ':`</axiom>`',
]
const NAMES = [
  'READY_FOR_REVIEW',
  'TASK_INCOMPLETE',
  'INFRA_BLOCKED',
  'REVIEW_PASSED',
  'REVIEW_FAILED',
  'AUDIT_PASSED',
  'AUDIT_FAILED',
  'AUDIT_BLOCKED',
  'EXPANDED_TASK_SPECIFICATION',
  'REMEDIATION_COMPLETE',
  'HEALTH_AUDIT',
  'HEALTH_AUDIT: HEALTHY',
  'HEALTH_AUDIT: UNHEALTHY',
  'SEEKING_DIVINE_CLARIFICATION',
  'EXPERT_REQUEST',
  'EXPERT_ADVICE',
  'EXPERT_UNSUCCESSFUL',
  'EXPERT_CREATED',
  'FILE CONFLICT',
  'CHECKPOINT',
  'REVIEW',
  'READY_FOR_REVIEW_',
  'Ready_for_review',
]
const IDS = [
  '',
  ':',
  ': task-1',
  ':task-1',
  ':  task-2.',
  ': `task-1`',
  ':\ttask-1 and more',
  ': **',
  ': src/a b.ts',
  ': HEALTHY',
  ' task-1',
  ':\u00a0task-1',
  ': [task_id]',
  ': ta\u202esk',
]
const MARKERS = [
  '[AGENT_STATUS] {"agents":[]}',
  '[AGENT_STATUS] {"agents":[{"name":"Lyra","status":"alive","gridPosition":0}]}',
  '[AGENT_STATUS] {"agents":[{"name":"Lyra"}]}',
  '[AGENT_STATUS]',
  '[AGENT_STATUS] {',
  '[AGENT_REGISTERED] {"name":"Kael","gridPosition":8,"color":"#fff"}',
  '[AGENT_REGISTERED] []',
  '[SUMMON AGENTS]',
  '[AXIOM:COMPLETE]',
  '[axiom: complete]',
  '[SWARM:BLOCKED:x]',
  '[axiom:v2]',
  '[AXIOM:',
]
const BODY = [
  'Summary: fine',
  'Files Modified:',
  '- src/a.ts: new',
  '**Issues Found:**',
  '- src/a.ts:12: wrong',
  'Task: task-1',
  'Task: task-9 now',
  'Priority: HIGH',
  '---DELEGATION PROMPT START---',
  '---DELEGATION PROMPT END---',
  'Can Wait: NO',
  '  Exit: 1',
  '1. one: two',
]
const PROSE = [
  'I will now run it',
  'done',
  'not yet: ',
  'say it when ',
  '"',
  '.',
  'ÀÉ漢',
  '😀',
  'a < b',
  '[x] ',
  'Readme',
  'AUDIT',
  '\\',
  '&lt;axiom&gt;',
]
const NOISE = [
  '`',
  '``',
  '```',
  '~~~',
  '````',
  '\\`',
  '*',
  '**',
  '__',
  '~~',
  '> ',
  '- ',
  '1. ',
  '# ',
  '---',
  '===',
  '***',
  '    ',
  '\t',
  '  ',
  '\r',
  '\u001b[32m',
  '\u001b[0m',
  '\u001b]0;t\u0007',
  '\u001b',
  '\ufeff',
  '\u0000',
  '\u2028',
  '\u200b',
  '<',
  '[',
  '<axiom>',
  '</axiom>',
  '<swarm>',
  '</swarm>',
  '<AXIOM>',
  '</Axiom>',
  '<!--',
  '\n',
  '\n\n',
  '\r\n',
]
const BREAKS = [
  '\n',
  '\n',
  '\n',
  '\n',
  '\n\n',
  '\r\n',
  '\n \n',
  '\n```\n',
  '\n~~~~ text\n',
  '\n- ```\n',
  '\n> ',
  '\n  ```\n',
  '\n# x\n',
]

function tagOf(random: Random): string {
  const tag = random.chance(80) ? 'axiom' : random.pick(['swarm', 'AXIOM', 'Axiom', 'axio'])
  const shut = random.chance(92) ? tag : random.pick(['axiom', 'swarm', 'AXIOM'])
  return `<${tag}>${random.pick(TYPES)}${random.pick(PAYLOADS)}${random.chance(94) ? `</${shut}>` : ''}`
}

function lineOf(random: Random): string {
  const die = random.below(100)
  if (die < 34) return tagOf(random)
  if (die < 58) return `${random.pick(NAMES)}${random.pick(IDS)}`
  if (die < 66) return random.pick(MARKERS)
  if (die < 80) return random.pick(BODY)
  return `${random.pick(PROSE)}${random.chance(50) ? tagOf(random) : random.pick(PROSE)}`
}

/** Takes out or puts in a few pieces, so that most lines are nearly signals. */
function spoil(random: Random, text: string): string {
  const at = random.below(text.length + 1)
  const isCut = random.chance(35)
  return (
    text.slice(0, at) + (isCut ? '' : random.pick(NOISE)) + text.slice(isCut ? at + 1 + random.below(2) : at)
  )
}

function textOf(random: Random): string {
  let text = ''
  for (let lines = 1 + random.below(3); lines > 0; lines -= 1) {
    let line = lineOf(random)
    while (random.chance(30)) line = spoil(random, line)
    text += line + random.pick(BREAKS)
  }
  return random.chance(20) ? text.trimEnd() : text
}

const encoder = new TextEncoder()

/** One message of an agent, close to the edges of the protocol. `isLarge` puts it around the bounds of a line. */
export function generateMessage(random: Random, isLarge: boolean): Uint8Array {
  if (random.below(64) === 0)
    return encoder.encode(random.pick(['', '\n', ' \n\t\r\n', '\ufeff', '\u001b[0m']))
  const text = isLarge ? enlarge(random, textOf(random)) : textOf(random)
  const bytes = encoder.encode(text)
  while (random.chance(4) && bytes.length > 0)
    bytes[random.below(bytes.length)] = random.pick([0xff, 0xc3, 0xe2, 0x80, 0x0a, 0x1b, 0x60])
  return bytes
}

function enlarge(random: Random, text: string): string {
  const at = random.below(text.length + 1)
  const filler = random.pick(['a', '`', ' ', '`a', 'é', 'word\n', '<', '- a\n', '[AXIOM:A:', '<axiom>'])
  const size = 65_536 - 40 + random.below(80)
  return text.slice(0, at) + filler.repeat(Math.ceil(size / filler.length)) + text.slice(at)
}
