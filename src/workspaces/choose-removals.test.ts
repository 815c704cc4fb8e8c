import { expect, it } from 'vitest'
import { chooseRemovals, type KeptWorkspace } from './choose-removals.ts'

const DAY_MS = 86_400_000
const rules = { keepMs: 7 * DAY_MS, bytesWanted: 0, failedMayGo: false }
const kept = (name: string, state: KeptWorkspace['state'], endedDay: number): KeptWorkspace => ({
  name,
  state,
  createdAtMs: 0,
  endedAtMs: endedDay * DAY_MS,
  bytes: 100,
})

const workspaces = [
  kept('young', 'failed', 9),
  kept('old', 'failed', 1),
  kept('landed', 'landed', 9.5),
  kept('deleted', 'deleted', 9.7),
  kept('working', 'in-use', 0),
  kept('asking', 'waiting', 0),
  kept('middle', 'failed', 5),
]

it('names workspaces of landed and deleted tasks, and failed ones past their time, the oldest first', () => {
  expect(chooseRemovals(workspaces, rules, 10 * DAY_MS)).toEqual(['old', 'landed', 'deleted'])
})

it('lets failed ones go before their time only when the disk is short and a person agreed', () => {
  const short = { ...rules, bytesWanted: 350 }
  expect(chooseRemovals(workspaces, short, 10 * DAY_MS)).toEqual(['old', 'landed', 'deleted'])
  expect(chooseRemovals(workspaces, { ...short, failedMayGo: true }, 10 * DAY_MS)).toEqual([
    'old',
    'middle',
    'landed',
    'deleted',
  ])
})

it('never names one that is in use or waits for an answer', () => {
  const greedy = { keepMs: 0, bytesWanted: Number.MAX_SAFE_INTEGER, failedMayGo: true }
  expect(chooseRemovals(workspaces, greedy, 1000 * DAY_MS).toSorted()).toEqual([
    'deleted',
    'landed',
    'middle',
    'old',
    'young',
  ])
})
