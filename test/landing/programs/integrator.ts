// An integrator of its own: takes its turn, lands one entry, and says each step. `stops`: it halts itself, as if it had
// fallen asleep, when its checks are green and the branch is to move.

import { takeTurn } from '../../../src/integration/integrator-turn.ts'
import { landBatch } from '../../../src/integration/land-candidates.ts'
import { createGit } from '../../../src/platform/git/git.ts'
import { Turnstile } from '../../../src/platform/turnstile.ts'
import { entry } from '../../integration/scratch.ts'

const [gitDir = '', scratchDir = '', source = '', task = '', mode = ''] = process.argv.slice(2)
let verified = false
const git = createGit(process.env.PATH ?? '')
const repository = { gitDir }
const turn = await takeTurn(git, repository, {
  holder: task,
  startedAtMs: Date.now(),
  nonce: `${process.pid}`,
})
const report = await landBatch(
  {
    ...{ git, repository, scratchDir, turn, target: 'main', writing: new Turnstile(1) },
    now: () => Date.now(),
    commitTypes: ['feat'],
    protectedFolders: [],
    holdsFence: async () => {
      if (mode === 'stops' && verified) {
        process.stdout.write('asleep\n')
        process.kill(process.pid, 'SIGSTOP')
      }
      return true
    },
    verify: async () => {
      verified = true
      return { kind: 'green', evidence: 'x' }
    },
  },
  [entry(task, source)],
)
process.stdout.write(`${JSON.stringify(report.landings.get(task))}\n`)
