import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { landBatch } from '../../src/integration/land-candidates.ts'
import { publishTarget } from '../../src/integration/publish-target.ts'
import { takeInCommits } from '../../src/integration/take-in-commits.ts'
import { fetchTarget } from '../../src/workspaces/integration-repository.ts'
import { CHECK, checkedGround, tasksOn } from './checked-ground.ts'
import { entry, type IntegrationScratch, openIntegrationScratch, sh, write } from './scratch.ts'

const FILES = { 'check.sh': CHECK, 'mine.txt': 'mine\n', 'notes.txt': 'notes\n', 'list.txt': 'one\ntwo\n' }
const ROUNDS = 6

async function fetchUser({ ground, integration, user }: IntegrationScratch): Promise<string> {
  const seen = await fetchTarget(ground.git, integration, join(user, '.git'))
  if (seen.kind === 'unborn') throw new Error('unborn')
  return seen.user
}

function publish({ ground, integration, user }: IntegrationScratch) {
  return publishTarget({ git: ground.git, integration, user: { gitDir: join(user, '.git') }, target: 'main' })
}

describe('a user who commits right after each landing', () => {
  it('loses nothing, keeps staged and unstaged files, and takes nothing back', async () => {
    await using scratch = await openIntegrationScratch(FILES)
    const { user } = scratch
    const ground = checkedGround(scratch, {})
    write(user, { 'notes.txt': 'unstaged\n' })
    let seen = scratch.first
    for (let round = 0; round < ROUNDS; round += 1) {
      const task = `task-00${round}`
      const source = await scratch.commit(scratch.first, { [`work-${round}`]: `${task}\n` })
      const report = await landBatch(ground, [entry(task, source)])
      expect(report.landings.get(task)?.kind).toBe('landed')
      // In every second round he commits before the landing has reached him.
      if (round % 2 === 0) expect((await publish(scratch)).kind).toBe('published')
      appendFileSync(join(user, 'mine.txt'), `round ${round}\n`)
      sh(user, `git commit -qm 'round ${round}' mine.txt; echo ${round} > staged.txt; git add staged.txt`)
      const mine = await fetchUser(scratch)
      expect((await takeInCommits(ground, mine, seen)).kind).toBe('taken-in')
      seen = mine
      expect((await publish(scratch)).kind).toBe(round % 2 === 0 ? 'same' : 'published')
      expect(sh(user, 'git status --porcelain')).toBe('M notes.txt\nA  staged.txt')
    }
    const rounds = Array.from({ length: ROUNDS }, (_, round) => round)
    expect(sh(user, 'git show HEAD:mine.txt')).toBe(
      ['mine', ...rounds.map((round) => `round ${round}`)].join('\n'),
    )
    for (const round of rounds) expect(sh(user, `git show HEAD:work-${round}`)).toBe(`task-00${round}`)
    expect(sh(user, 'cat notes.txt staged.txt')).toBe(`unstaged\n${ROUNDS - 1}`)
    expect(tasksOn(scratch, 'main')).toEqual(rounds.map((round) => `task-00${round}`))
    expect(ground.values.every((value) => ground.seenGreen.has(value))).toBe(true)
  })
})

describe("the user's own commits", () => {
  it('do not come in when they are red, conflict, or were rewritten', async () => {
    await using scratch = await openIntegrationScratch(FILES)
    const { user, first } = scratch
    const ground = checkedGround(scratch, {})
    expect(await takeInCommits(ground, await fetchUser(scratch), first)).toEqual({ kind: 'nothing-new' })
    sh(user, 'touch broken && git add broken && git commit -qm broken')
    expect(await takeInCommits(ground, await fetchUser(scratch), first)).toMatchObject({ kind: 'rejected' })
    const broken = sh(user, 'git rev-parse HEAD')
    sh(user, 'git reset -q --hard HEAD^ && echo 1 > list.txt && git commit -qam list')
    expect(await takeInCommits(ground, await fetchUser(scratch), broken)).toMatchObject({ kind: 'rewritten' })
    const source = await scratch.commit(first, { 'list.txt': 'eins\n' })
    await landBatch(ground, [entry('task-001', source)])
    expect(await takeInCommits(ground, await fetchUser(scratch), first)).toMatchObject({ kind: 'conflict' })
    expect(tasksOn(scratch, 'main')).toEqual(['task-001'])
    expect(ground.values).toHaveLength(1)
  })

  it('hide no landed task when he merged it his way round', async () => {
    await using scratch = await openIntegrationScratch(FILES)
    const { user, first } = scratch
    const ground = checkedGround(scratch, {})
    const landed = entry('task-001', await scratch.commit(first, { work: 'work\n' }))
    await landBatch(ground, [landed])
    sh(user, 'echo 1 > list.txt && git commit -qam list')
    sh(
      user,
      `git pull -q --no-rebase --no-edit ${scratch.integration.gitDir} main && git rm -q work && git commit -qm no`,
    )
    expect((await takeInCommits(ground, await fetchUser(scratch), first)).kind).toBe('taken-in')
    const again = await landBatch(ground, [landed])
    expect(again.landings.get('task-001')).toMatchObject({ kind: 'landed', alreadyThere: true })
    expect(scratch.show('main', 'work')).toBeUndefined()
  })
})
