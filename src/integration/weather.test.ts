import { describe, expect, it } from 'vitest'
import { CLEAR, chooseBatch, skyBetween, type Weather } from './weather.ts'

const weather: Weather = {
  ...CLEAR,
  pairs: [
    { tasks: ['a', 'b'], sky: 'same-lines', files: ['x'] },
    { tasks: ['a', 'c'], sky: 'same-file', files: ['y'] },
  ],
}
const queue = ['a', 'b', 'c', 'd'].map((task) => ({ task }))
const tasks = (entries: readonly { task: string }[]) => entries.map(({ task }) => task).join('')

describe('a batch', () => {
  it('leaves out what would conflict with one before it, and is filled with others', () => {
    expect(tasks(chooseBatch(queue, 3, weather))).toBe('acd')
    expect(tasks(chooseBatch(queue, 3, CLEAR))).toBe('abc')
  })

  it('always takes the first of the queue, whatever the weather', () => {
    expect(tasks(chooseBatch(queue.slice(1), 1, weather))).toBe('b')
    expect(tasks(chooseBatch(queue.slice(0, 2), 2, weather))).toBe('a')
  })
})

it('tells the sky between two, in either order', () => {
  expect([
    skyBetween(weather, 'b', 'a'),
    skyBetween(weather, 'c', 'a'),
    skyBetween(weather, 'b', 'c'),
  ]).toEqual(['same-lines', 'same-file', 'clear'])
})
