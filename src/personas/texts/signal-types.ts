import type { Definition } from '../../signals/definition.ts'
import { formatOf } from '../../signals/describe-signals.ts'
import { REGISTRY } from '../../signals/registry.ts'
import { spokenName } from '../../signals/signal-names.ts'
import { speakAs } from '../../vocabulary/speak-as.ts'
import type { Vocabulary } from '../../vocabulary/vocabulary.ts'
import type { Words } from '../words.ts'

type Entry = (typeof REGISTRY)[number]

/** The page that people read; an agent is given the forms of its own role instead, straight from the registry. */
export function writeSignalTypes({ vocabulary }: Words): string {
  const { tag } = vocabulary.signals
  const tags = REGISTRY.filter((entry) => entry.notation === 'tag')
  const isDiscovery = (entry: Entry) => entry.handler === 'RECORD_DISCOVERY'
  const list = (entries: readonly Entry[]) => entries.map((entry) => describe(entry, vocabulary)).join('\n')
  return `# Signal Types

The protocol is fixed. This page is for reading: ${vocabulary.product} gives every agent the exact forms for its role, and a change made here has no effect on them.

## Format
All signals must use: \`<${tag}>TYPE:payload</${tag}>\` or \`<${tag}>TYPE</${tag}>\`, or be a line signal that begins in the first column.

## Valid Types

### Control Signals
${list(tags.filter((entry) => !isDiscovery(entry)))}

### ${vocabulary.headings.discoverySignals}
${list(tags.filter(isDiscovery))}

### Line Signals
${list(REGISTRY.filter((entry) => entry.notation === 'line'))}

### Markers
${list(REGISTRY.filter((entry) => entry.notation === 'marker'))}

## Examples
${tags.map((entry) => `- \`${formatOf(entry, vocabulary.signals)}\``).join('\n')}
`
}

function describe(entry: Entry, vocabulary: Vocabulary): string {
  const { payload, payloadHint, meaning, roles }: Definition = entry
  const carries =
    payload === 'none' ? '' : ` Carries: ${payload === 'json' ? 'one JSON object' : payloadHint}.`
  const senders = roles.length > 10 ? 'everyone' : roles.join(', ')
  const name = spokenName(vocabulary.signals, entry.name)
  return `- \`${name}\` - ${speakAs(vocabulary, `${meaning}${carries}`)} Sent by: ${senders}.`
}
