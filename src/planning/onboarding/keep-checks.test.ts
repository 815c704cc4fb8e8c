import { expect, it } from 'vitest'
import { keepChecks } from './keep-checks.ts'

const mine = { name: 'mine', command: 'make prove', timeout: 60 }
const drafted = [{ name: 'test', command: 'npm test' }]

it.each([
  ['a check of the person beside what was found', [mine], drafted, [mine, ...drafted]],
  ['a check that is only a command', ['make prove'], drafted, ['make prove', ...drafted]],
  ["the person's options of a check that was found again", ['npm test'], drafted, ['npm test']],
  ['every check where nothing was found', [mine], [], [mine]],
  ['what was found where there was none', undefined, drafted, drafted],
])('keeps %s', (_, present, found, expected) => {
  expect(keepChecks(present, found)).toEqual(expected)
})

it('lets the draft decide about the commands that a flag spoke of', () => {
  expect(keepChecks([mine, 'npm test'], [], new Set(['npm test']))).toEqual([mine])
})
