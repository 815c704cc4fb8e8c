import type { Definition } from './definition.ts'
import { formatOf } from './describe-signals.ts'
import {
  BLOCK_BYTES_MAX,
  LINE_BYTES_MAX,
  PAYLOAD_CHARACTERS_MAX,
  PROBLEM_REPEATS_MAX,
  PROBLEMS_PER_ITERATION_MAX,
  REMARKS_PER_ITERATION_MAX,
} from './limits.ts'
import { REGISTRY, ROLES_OWING_A_SIGNAL } from './registry.ts'
import { type SignalNames, spokenName } from './signal-names.ts'

const TITLES = { tag: 'Tags', line: 'Line signals', marker: 'Markers' } as const

/** The reference page, made from the registry so that it cannot lag behind it. */
export function renderReference(names: SignalNames, others: readonly SignalNames[]): string {
  const sections = (['tag', 'line', 'marker'] as const).map((notation) => {
    const entries = REGISTRY.filter((entry) => entry.notation === notation)
    return [`## ${TITLES[notation]}`, ...entries.map((entry) => describe(entry, names, others))].join('\n\n')
  })
  return `${[INTRODUCTION, priorities(), ...sections, PROBLEMS, bounds()].join('\n\n')}\n`
}

const INTRODUCTION = `# Signals

This page is made from the registry in \`src/signals/registry.ts\`; \`npm run golden\` writes it anew. \`axiom signals FILE\` shows what AXIOM sees in a text.

## What counts

- Only the agent's own words. Nothing in a code fence (backticks or tildes, any length, also when never closed), in an inline code span, in a line indented by four or more, or in a \`>\` quotation counts. A code span may run over several lines of one paragraph; a paragraph ends at a blank line, a fence, a quotation, a heading, a rule or a list item. A quotation ends with its last \`>\`.
- A **tag** that is a verdict stands alone on its line; several tags and emphasis around them may share it. It may also be the last thing on a line, behind a sentence that has ended (\`All tests pass. <tag>\`). Inside a sentence it is a plan, a negation or a quotation, and is reported as \`SIGNAL_NOT_ALONE\`. Progress and discoveries may stand anywhere.
- A **line signal** begins in the first column with its exact name. Blanks may follow the colon, never a line break. What follows it, up to the next line signal or the end of the message, is its body. A near miss is nothing at all.
- A **marker** begins in the first column, and its JSON ends the line.
- A verdict counts only in the last message of an iteration that says anything; remarks (those marked _anywhere_) count in each.
- Terminal sequences are taken out first. A carriage return ends no line. Bytes that are not UTF-8 become U+FFFD. Hidden characters (directions, zero widths, controls) never match as part of a name and are shown as \`[U+202E]\`.`

function priorities(): string {
  const ranks = [...new Set(REGISTRY.flatMap(({ priority }) => (priority === null ? [] : [priority])))].sort()
  const lines = ranks.map((rank) => {
    const entries = REGISTRY.filter(({ priority }) => priority === rank)
    return `${rank}. ${entries.map(({ name }) => `\`${name}\``).join(', ')}`
  })
  const owing = ROLES_OWING_A_SIGNAL.join(', ')
  return `## Several at once, and none

The first of these that was said decides; of equals the last. What failed has failed: beside ${refuters()} a passed verdict of the same kind never counts.

${lines.join('\n')}

Without any verdict, ${owing} are asked for a checkpoint twice and replaced the third time. A developer gets its next iteration, and is asked only after three without a signal or a commit.`
}

function refuters(): string {
  const names = REGISTRY.filter((entry) => 'refutes' in entry).map(({ name }) => `\`${name}\``)
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function describe(entry: Definition, names: SignalNames, others: readonly SignalNames[]): string {
  const name = entry.name as (typeof REGISTRY)[number]['name']
  const elsewhere = others
    .filter((other) => spokenName(other, name) !== spokenName(names, name))
    .map((other) => `\`${spokenName(other, name)}\` in ${other.tag}`)
  const facts = [
    `Senders: ${entry.roles.length > 10 ? 'every role' : entry.roles.join(', ')}.`,
    `Counts: ${entry.counts === 'anywhere' ? 'anywhere' : 'in the last message'}.`,
    `Then: \`${entry.handler}\`.`,
    ...(entry.equals.length > 0
      ? [`Same effect: ${entry.equals.map((other) => `\`${other}\``).join(', ')}.`]
      : []),
    ...(elsewhere.length > 0 ? [`Called ${elsewhere.join(', ')}.`] : []),
  ]
  const fields = entry.body.map(({ label, key, kind }) => [label, `\`${key}\``, kind])
  const table = fields.length === 0 ? [] : [tableOf(['label', 'field', 'kind'], fields)]
  const example = `\`\`\`text\n${formatOf(entry, names)}\n\`\`\``
  return [`### ${entry.name}`, entry.meaning, facts.join(' '), example, ...table].join('\n\n')
}

const PROBLEMS = `## Problems

None of them stops an agent; each is logged to \`logs/signals.jsonl\` with its code, its text and its line.

${tableOf(
  ['code', 'when'],
  [
    [
      '`SIGNAL_MALFORMED`',
      'a tag in the wrong case, unclosed on its line, in square brackets, or with anything but `TYPE` or `TYPE:payload` in it',
    ],
    ['`SIGNAL_UNKNOWN_TYPE`', 'a well-formed tag of a type that this vocabulary does not have'],
    ['`SIGNAL_MISSING_PAYLOAD`', 'a payload is needed and is absent or blank'],
    [
      '`SIGNAL_INVALID_PAYLOAD`',
      'not a number from 0 to 100, too long, not valid JSON, or JSON of another form',
    ],
    ['`SIGNAL_NOT_ALONE`', 'a verdict inside a sentence'],
    ['`SIGNAL_NOT_LAST`', 'a verdict in a message that another one followed'],
    ['`SIGNAL_WRONG_SENDER`', "the sender's role may not say this"],
    ['`SIGNAL_FOREIGN_TASK`', "it concerns a task that is not the sender's"],
    ['`SIGNAL_FLOOD`', 'more signals than an iteration can hold'],
  ],
)}`

function bounds(): string {
  const rows = [
    ['a line; what is longer is cut and is no signal', `${LINE_BYTES_MAX} bytes`],
    ['a paragraph; what is longer is read in parts', `${BLOCK_BYTES_MAX} bytes`],
    ['a payload', `${PAYLOAD_CHARACTERS_MAX} characters`],
    ['remarks of one iteration', `${REMARKS_PER_ITERATION_MAX}`],
    ['problems of one iteration, and the same one', `${PROBLEMS_PER_ITERATION_MAX}, ${PROBLEM_REPEATS_MAX}`],
  ]
  return `## Bounds\n\n${tableOf(['what', 'bound'], rows)}`
}

/** A table with aligned columns, as the formatter of the repository wants it. */
function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]?.length ?? 0)))
  const line = (row: readonly string[], fill: string) =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0, fill)).join(' | ')} |`
  return [
    line(head, ' '),
    line(
      head.map(() => ''),
      '-',
    ),
    ...rows.map((row) => line(row, ' ')),
  ].join('\n')
}
