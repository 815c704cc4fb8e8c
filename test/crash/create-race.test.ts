import { expect, it } from 'vitest'
import type { CaseCommand } from '../../src/cases/command.ts'
import { FileStore } from '../../src/store/jsonl/file-store.ts'
import { startCommand } from './program.ts'
import { QUICK_DISK } from './sample-store.ts'
import { scratchFolder, show } from './scratch.ts'
import { killOwner, PROCESSES, race, startSharing } from './sharing.ts'

const CASES_EACH = 125
const COMMAND_ROUNDS = 4

it.each([
  ['', []],
  [' while three owners are killed', [150, 350, 550]],
])('keeps every case that eight processes create at once%s', async (_, killsAt) => {
  const folder = scratchFolder('.axiom')
  const programs = await startSharing(folder)
  const batchesOf = (name: string): CaseCommand[][] =>
    Array.from({ length: CASES_EACH }, (_, index) => [
      { kind: 'create', type: 'draft', content: `${name} ${index}` },
    ])
  const { answers, killed, errors } = await race(folder, programs, batchesOf, killsAt)
  expect(errors).toBe('')
  expect(killed).toHaveLength(killsAt.length)
  expect(answers.filter(({ kind }) => kind !== 'committed')).toEqual([])

  const contents = await contentsIn(folder)
  for (const { by, index, created } of answers) {
    expect(contents.get(created[0] ?? ''), `${by} was told of ${created[0]}`).toBe(`${by} ${index}`)
  }
  const ids = answers.map(({ created }) => created[0])
  expect(new Set(ids).size).toBe(ids.length)
  // A question that was asked again of the next owner was carried out once.
  expect(new Set(contents.values()).size).toBe(contents.size)
  const survivors = PROCESSES - killed.length
  expect(answers.filter(({ by }) => !killed.includes(by))).toHaveLength(survivors * CASES_EACH)
  show(`${answers.length} answered, ${contents.size} kept, ${killed.length} owners killed`)
})

it(`keeps what eight commands create at once, ${COMMAND_ROUNDS} times, an owner killed in half of them`, async () => {
  const folder = scratchFolder('.axiom')
  const told = new Map<string, string>()
  let killed = 0
  for (let round = 0; round < COMMAND_ROUNDS; round += 1) {
    const commands = Array.from({ length: PROCESSES }, (_, number) =>
      startCommand(folder, '--json', 'case', 'create', '--type', 'draft', '--content', `${round} ${number}`),
    )
    const running = Promise.all(commands.map(({ ended }) => ended))
    if (round % 2 === 1) {
      await Promise.race(commands.map(({ ended }) => ended))
      if (await killOwner(folder, commands)) killed += 1
    }
    for (const [number, { code, errors }] of (await running).entries()) {
      const command = commands[number]
      if (command?.child.signalCode === 'SIGKILL' && command.lines.length === 0) continue
      expect(code ?? 0, errors).toBe(0)
      told.set((JSON.parse(command?.lines[0] ?? '') as { id: string }).id, `${round} ${number}`)
    }
  }
  const contents = await contentsIn(folder)
  for (const [id, content] of told) expect(contents.get(id)).toBe(content)
  expect(told.size).toBeGreaterThanOrEqual(COMMAND_ROUNDS * PROCESSES - killed)
  expect(new Set(contents.values()).size).toBe(contents.size)
  show(`${told.size} told, ${contents.size} kept, ${killed} owners killed`)
})

async function contentsIn(folder: string): Promise<Map<string, string>> {
  const store = new FileStore({ folder, disk: QUICK_DISK })
  const { damage } = await store.report()
  expect(damage.filter(({ kind }) => kind !== 'torn-tail')).toEqual([])
  const records = await store.query({})
  await store.close()
  return new Map(records.map(({ id, content }) => [id, content]))
}
