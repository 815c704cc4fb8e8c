import { describe, expect, it } from 'vitest'
import { CLEAR, chooseBatch, orderByWeather, skyBetween, stormyFiles, type Weather } from './weather.ts'

const weather: Weather = {
  ...CLEAR,
  pairs: [
    { tasks: ['a', 'b'], sky: 'same-lines', files: ['x'] },
    { tasks: ['a', 'c'], sky: 'same-file', files: ['y'] },
  ],
}
const entry = (task: string, ...dependsOn: string[]) => ({ task, dependsOn })
const queue = ['a', 'b', 'c', 'd'].map((task) => entry(task))
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

  it('takes nothing whose dependency waits for the next one', () => {
    expect(tasks(chooseBatch([entry('a'), entry('b'), entry('e', 'b'), entry('d')], 4, weather))).toBe('ad')
  })
})

describe('the order of landing', () => {
  const hub: Weather = {
    ...CLEAR,
    pairs: ['b', 'c', 'd'].map((leaf) => ({ tasks: ['a', leaf], sky: 'same-lines', files: [leaf] })),
  }
  const none = new Set<string>()

  it('puts one that is in the way of many behind them: it then conflicts once instead of three times', () => {
    expect(tasks(orderByWeather(queue, hub, none))).toBe('bcda')
    expect(tasks(orderByWeather(queue, { ...hub, pairs: hub.pairs.slice(0, 1) }, none))).toBe('cdab')
    expect(tasks(orderByWeather(queue, CLEAR, none))).toBe('abcd')
  })

  it('lets nothing overtake what it depends on', () => {
    const bound = [entry('a'), entry('b', 'a'), entry('c'), entry('d')]
    expect(tasks(orderByWeather(bound, hub, none))).toBe('cdab')
  })

  it('holds nobody back for ever', () => {
    expect(tasks(orderByWeather(queue, hub, new Set(['a'])))).toBe('abcd')
  })
})

it('knows the files in which live works meet', () => {
  expect([...stormyFiles(weather)]).toEqual(['x', 'y'])
})

it('tells the sky between two, in either order', () => {
  expect([
    skyBetween(weather, 'b', 'a'),
    skyBetween(weather, 'c', 'a'),
    skyBetween(weather, 'b', 'c'),
  ]).toEqual(['same-lines', 'same-file', 'clear'])
})
