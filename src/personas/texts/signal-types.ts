import type { Words } from '../words.ts'

export function writeSignalTypes({ signal }: Words): string {
  return `# Signal Types

${signal('COMPLETE')}
`
}
