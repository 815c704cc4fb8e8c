import { expect, it } from 'vitest'
import { compareHosts, type HostMark, readHostMark, thisHost } from './host-mark.ts'

const here: HostMark = { name: 'alpha', machine: 'm1', boot: 'b1' }
const nameless = { machine: '', boot: '' }

it.each<[string, HostMark | undefined, ReturnType<typeof compareHosts>]>([
  ['of no known host', undefined, 'same'],
  ['of this host', here, 'same'],
  ['of this host before it was started again', { ...here, boot: 'b0' }, 'restarted'],
  ['of another container on the same kernel', { ...here, name: 'beta', machine: 'm2' }, 'same-kernel'],
  ['of another host', { name: 'beta', machine: 'm2', boot: 'b2' }, 'other'],
  ['of another host of the same name', { name: 'alpha', machine: 'm2', boot: 'b2' }, 'other'],
])('takes a mark %s for what it is', (_, mark, relation) => {
  expect(compareHosts(here, mark)).toBe(relation)
})

it('goes by the name alone where the system tells no more', () => {
  expect(compareHosts({ name: 'alpha', ...nameless }, { name: 'alpha', ...nameless })).toBe('same')
  expect(compareHosts({ name: 'alpha', ...nameless }, { name: 'beta', ...nameless })).toBe('other')
})

it('reads a mark that was written here, and nothing else', () => {
  expect(readHostMark(JSON.parse(JSON.stringify(thisHost())))).toEqual(thisHost())
  expect(thisHost().name).not.toBe('')
  for (const value of [null, 5, {}, { ...here, name: '\u001b[2J' }, { ...here, boot: 7 }])
    expect(readHostMark(value)).toBeUndefined()
})
