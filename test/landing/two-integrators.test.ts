import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type IntegrationScratch, openIntegrationScratch, sh } from '../integration/scratch.ts'

const PROGRAM = join(import.meta.dirname, 'programs/integrator.ts')
const WAIT_MAX_MS = 120_000

function start({ integration, ground }: IntegrationScratch, source: string, task: string, mode: string) {
  const words = [integration.gitDir, ground.scratchDir, source, task, mode]
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = { text: '' }
  child.stdout.on('data', (chunk: Buffer) => (said.text += chunk.toString()))
  return { child, said, ended: new Promise((done) => child.once('close', done)) }
}

async function until(holds: () => boolean, child: ChildProcess): Promise<void> {
  const begun = Date.now()
  while (!holds()) {
    if (Date.now() - begun > WAIT_MAX_MS || child.exitCode !== null)
      throw new Error('it did not come to pass')
    await sleep(20)
  }
}

it('lands nothing for an integrator that slept at the last step while another took its turn', async () => {
  await using scratch = await openIntegrationScratch({ a: 'a\n' })
  const first = await scratch.commit(scratch.first, { first: 'first\n' })
  const sleeper = start(scratch, first, 'task-001', 'stops')
  await until(() => sleeper.said.text.includes('asleep'), sleeper.child)
  // The target itself has not moved: only the turn tells that the sleeper's time is over.
  const second = await scratch.commit(scratch.first, { second: 'second\n' })
  const other = start(scratch, second, 'task-002', 'lands')
  await other.ended
  sh(scratch.integration.gitDir, `git update-ref refs/heads/main ${scratch.first}`)
  sleeper.child.kill('SIGCONT')
  await sleeper.ended
  expect(other.said.text).toContain('"kind":"landed"')
  expect(sleeper.said.text).toContain('"reason":"turn-lost"')
  expect(sh(scratch.integration.gitDir, 'git rev-parse main')).toBe(scratch.first)
})
