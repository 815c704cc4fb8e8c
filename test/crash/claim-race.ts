import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { CaseCommand } from '../../src/cases/command.ts'
import { FileStore } from '../../src/store/jsonl/file-store.ts'
import type { CaseRecord } from '../../src/store/store.ts'
import { type Program, startCommand } from './program.ts'
import { seededRandom } from './random.ts'
import { commit, QUICK_DISK } from './sample-store.ts'
import { scratchFolder, show } from './scratch.ts'
import { type Answer, killOwner, ownerPid, PROCESSES, race, startSharing } from './sharing.ts'

function claim(id: string, holder: string): CaseCommand {
  return { kind: 'claim', id, stage: 'develop', holder, ttlMs: 3_600_000 }
}

/** Rounds that are added when no kill has met an owner: a command may be over before it is hit. */
const MORE_ROUNDS_MAX = 20

/** A project with so many tasks that are ready. */
async function projectWithTasks(folder: string, count: number): Promise<readonly string[]> {
  const store = new FileStore({ folder, disk: QUICK_DISK })
  const task = { kind: 'create', type: 'task', parentId: '$operation', content: 'a task' } as const
  const { created } = await commit(
    store,
    { kind: 'create', type: 'operation', content: 'an operation', as: 'operation' },
    ...Array.from({ length: count }, () => task),
  )
  await store.close()
  return created.slice(1)
}

async function tasksIn(folder: string): Promise<readonly CaseRecord[]> {
  const store = new FileStore({ folder, disk: QUICK_DISK })
  const { damage } = await store.report()
  expect(damage.filter(({ kind }) => kind !== 'torn-tail')).toEqual([])
  const records = await store.query({ type: 'task' })
  await store.close()
  return records
}

/** Eight claim each of so many tasks: within a process, as processes, as commands. */
export function raceForClaims(tasksMax: number, commandRounds: number, killsAt: readonly number[]): void {
  it(`has exactly one winner of eight, ${tasksMax} times, within one process`, async () => {
    const folder = scratchFolder('.axiom')
    const tasks = await projectWithTasks(folder, tasksMax)
    const store = new FileStore({ folder })
    const holders = Array.from({ length: PROCESSES }, (_, number) => `echo-00${number + 1}`)
    for (const id of tasks) {
      const outcomes = await Promise.all(
        holders.map((by) => store.transact({ by, commands: [claim(id, by)] })),
      )
      expect(outcomes.filter(({ kind }) => kind === 'committed')).toHaveLength(1)
      const refusals = outcomes.filter((outcome) => outcome.kind === 'refused')
      expect(refusals.map(({ code }) => code)).toEqual(Array(PROCESSES - 1).fill('AlreadyClaimed'))
    }
    await store.close()
  })

  it.each([
    ['', []],
    [' while owners are killed', killsAt],
  ])(`has exactly one winner of eight processes, ${tasksMax} times%s`, async (_, killsAt) => {
    const folder = scratchFolder('.axiom')
    const tasks = await projectWithTasks(folder, tasksMax)
    const programs = await startSharing(folder)
    const batchesOf = (name: string) => tasks.map((id) => [claim(id, name)])
    const { answers, killed, errors } = await race(folder, programs, batchesOf, killsAt)
    expect(errors).toBe('')
    expect(killed).toHaveLength(killsAt.length)

    const records = new Map((await tasksIn(folder)).map((record) => [record.id, record]))
    const silent = tasks.filter((id, index) => {
      const winners = answers.filter((answer) => answer.index === index && answer.kind === 'committed')
      expect(winners.length, id).toBeLessThanOrEqual(1)
      const lease = records.get(id)?.leases?.develop
      expect(lease?.fence, id).toBe(1)
      if (winners[0]) expect(lease?.holder, id).toBe(winners[0].by)
      else
        expect(killed, `${id} was won by ${lease?.holder}, who did not hear of it`).toContain(lease?.holder)
      return winners.length === 0
    })
    expectOnlyWinsAndRefusals(answers)
    const survivors = PROCESSES - killed.length
    const bySurvivors = answers.filter(({ by }) => !killed.includes(by))
    expect(bySurvivors).toHaveLength(survivors * tasksMax)
    show(
      `${tasksMax} tasks, ${killed.length} owners killed, ${silent.length} won by one killed before it heard`,
    )
  })

  it(`has exactly one winner of eight commands, ${commandRounds} times, the owner killed in half of them`, async () => {
    const folder = scratchFolder('.axiom')
    const tasks = await projectWithTasks(folder, commandRounds + MORE_ROUNDS_MAX)
    const random = seededRandom(9)
    let killed = 0
    for (const [round, id] of tasks.entries()) {
      if (round >= commandRounds && killed > 0) break
      const commands = Array.from({ length: PROCESSES }, (_, number) =>
        startCommand(folder, '--json', 'case', 'claim', id, '--agent', `echo-00${number + 1}`, '--ttl', '1h'),
      )
      if (round % 2 === 1 && (await killOneOwner(folder, commands, random() * 20))) killed += 1
      await expectOneWinner(folder, id, commands)
    }
    show(`${commandRounds} rounds of ${PROCESSES} commands, ${killed} owners killed`)
    expect(killed).toBeGreaterThan(0)
  })
}

function expectOnlyWinsAndRefusals(answers: readonly Answer[]): void {
  const others = answers.filter(({ kind, code }) => kind !== 'committed' && code !== 'AlreadyClaimed')
  expect(others).toEqual([])
}

/** Waits until one of them owns the store, and a moment longer. */
async function killOneOwner(folder: string, commands: readonly Program[], moreMs: number): Promise<boolean> {
  const isRunning = ({ child }: Program) => child.exitCode === null && child.signalCode === null
  while (commands.every(isRunning)) {
    await sleep(1)
    const pid = ownerPid(folder)
    if (!commands.some(({ child }) => child.pid === pid)) continue
    await sleep(moreMs)
    return killOwner(folder, commands)
  }
  return false
}

async function expectOneWinner(folder: string, id: string, commands: readonly Program[]): Promise<void> {
  const ends = await Promise.all(commands.map(({ ended }) => ended))
  const nameOf = (command: Program) => `echo-00${commands.indexOf(command) + 1}`
  const winners = commands.filter(({ lines }) => lines.length > 0).map(nameOf)
  const dead = commands.filter(({ child }) => child.signalCode === 'SIGKILL').map(nameOf)
  const losers = commands.filter(({ child }) => child.exitCode === 1).map(nameOf)
  for (const { code, errors } of ends) if (code === 1) expect(errors).toContain('AlreadyClaimed')
  const lease = (await tasksIn(folder)).find((record) => record.id === id)?.leases?.develop
  expect(lease?.fence, id).toBe(1)
  expect(winners.length, id).toBeLessThanOrEqual(1)
  if (winners[0]) expect(lease?.holder).toBe(winners[0])
  else expect(dead).toContain(lease?.holder)
  expect(new Set([...winners, ...dead, ...losers]).size, JSON.stringify(ends)).toBe(PROCESSES)
}
