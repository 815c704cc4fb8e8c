import { readSubject } from '../prompt-reading.ts'
import type { Role } from './role.ts'

const DESCRIPTION_CHARACTERS_MAX = 60

/** Makes a small working change, with a test that fails without it; each iteration adds to it. */
export const developer: Role = ({ situation }, wish) => {
  const { taskId, agent, iteration, prompt } = situation
  if (wish.verdict === 'blocked') {
    return [{ do: 'signal', tag: 'BLOCKED', payload: wish.reason ?? 'something outside my reach is missing' }]
  }
  const slug = taskId.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const name = `describe_${slug.replaceAll('-', '_')}`
  const about = readSubject(prompt, /^(?:the )?(?:task|work|idea)\b/i)
  const subject = about.replace(/[#@`]/g, '').slice(0, DESCRIPTION_CHARACTERS_MAX).trim()
  const lines = Array.from({ length: iteration }, (_, i) => `part ${i + 1} of ${taskId}`)
  return [
    { do: 'say', text: `I begin with the task ${taskId}: ${about}` },
    { do: 'edit', file: `lib/${slug}.mjs`, write: moduleText(name, lines) },
    { do: 'edit', file: `test/${slug}.test.mjs`, write: testText(name, slug, lines) },
    { do: 'run', command: `node --test test/${slug}.test.mjs`, mustPass: true },
    { do: 'commit', message: `feat: ${subject || 'do the work'} #${taskId} @${agent}` },
    { do: 'signal', tag: 'COMPLETE', after: `${taskId} is done, with a test.` },
  ]
}

function moduleText(name: string, lines: readonly string[]): string {
  const items = lines.map((line) => `  ${JSON.stringify(line)},`).join('\n')
  return `export const parts = [\n${items}\n]\n\nexport function ${name}() {\n  return parts.join('; ')\n}\n`
}

function testText(name: string, slug: string, lines: readonly string[]): string {
  return [
    `import assert from 'node:assert/strict'`,
    `import { test } from 'node:test'`,
    `import { ${name} } from '../lib/${slug}.mjs'`,
    ``,
    `test('${name} names every part', () => {`,
    `  assert.equal(${name}(), ${JSON.stringify(lines.join('; '))})`,
    `})`,
    ``,
  ].join('\n')
}
