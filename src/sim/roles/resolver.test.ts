import { expect, it } from 'vitest'
import { keepBothSides } from './resolver.ts'

it('keeps both sides in order and drops the base and the markers', () => {
  const text = [
    'top',
    '<<<<<<< ours',
    'target',
    '||||||| base',
    'old',
    '=======',
    'task',
    '>>>>>>> theirs',
    'middle',
    '<<<<<<< ours',
    '=======',
    'only theirs',
    '>>>>>>> theirs',
    '',
  ].join('\n')
  expect(keepBothSides(text)).toBe('top\ntarget\ntask\nmiddle\nonly theirs\n')
})

it('leaves lines that only look like markers', () => {
  const text = '=======\n>>>>>>> not a side\n<<<<<<<x\n'
  expect(keepBothSides(text)).toBe(text)
})
