import { DISCOVERY_CATEGORIES } from '../../cases/metadata.ts'
import { spokenName } from '../../signals/signal-names.ts'
import type { Words } from '../words.ts'

/** The one section of the file that a project may lengthen. */
export function categoriesHeading(personas: Words['personas']): string {
  return `Categories (Auto-detected by ${personas.cleo.name})`
}

export function writeDiscoveryFormat({ vocabulary, nouns, personas, signal }: Words): string {
  const title = nouns.discovery.charAt(0).toUpperCase() + nouns.discovery.slice(1)
  const local = spokenName(vocabulary.signals, 'DISCOVERY_LOCAL')
  const global = spokenName(vocabulary.signals, 'DISCOVERY_GLOBAL')
  return `# ${title} Format

## Signal-Based ${title} Capture
Report a fact that cost you time and would cost the next agent the same:

- ${signal('DISCOVERY_LOCAL')} reaches later work of your own kind.
- ${signal('DISCOVERY_GLOBAL')} reaches everyone.

One line: the fact, then where it holds (a file, a command, a version). Send it when you have seen it, not when you suspect it. Progress, opinions, praise and secrets are not ${nouns.discoveries}. ${personas.cleo.name} files each one, drops repetitions, and puts it into prompts from the next iteration on.

## ${vocabulary.headings.discoveryCreation}
| Signal | Scope | Parent | Injection |
|--------|-------|--------|-----------|
| ${local} | local | the current ${nouns.work} | the same persona |
| ${global} | global | the current ${nouns.work} | all agents |

## ${categoriesHeading(personas)}
${DISCOVERY_CATEGORIES.map((category) => `- ${category}`).join('\n')}
`
}
