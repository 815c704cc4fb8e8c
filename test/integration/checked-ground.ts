import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '../../src/integration/entry.ts'
import type { LandingGround, Verdict } from '../../src/integration/landing-ground.ts'
import type { Git } from '../../src/platform/git/git.ts'
import { Turnstile } from '../../src/platform/turnstile.ts'
import { type IntegrationScratch, sh } from './scratch.ts'

/** Everything that is used must be defined, and nothing may be broken: two green changes can be red together. */
export const CHECK = `
for use in uses/*; do [ ! -e "$use" ] || [ -f "defs/$(cat "$use")" ] || exit 1; done
[ ! -e broken ] || exit 1
`

/** Checks a commit out afresh and runs its check. */
export function runCheck(scratch: IntegrationScratch, commit: string): Promise<Verdict> {
  const folder = mkdtempSync(join(scratch.root, 'checkout-'))
  const line = `git archive ${commit} | tar -x -C ${folder}; cd ${folder}; sh check.sh; code=$?; rm -rf ${folder}; exit $code`
  return new Promise((resolve) => {
    execFile('sh', ['-c', line], { cwd: scratch.integration.gitDir }, (error) =>
      resolve({ kind: error === null ? 'green' : 'red', evidence: `check of ${commit}` }),
    )
  })
}

export interface CheckedGround extends LandingGround {
  /** Every value that the target took, in order. */
  readonly values: string[]
  readonly seenGreen: Set<string>
}

/** One integrator of its own on a repository: what it verified and where it moved the target is written down. */
export function checkedGround(
  scratch: IntegrationScratch,
  more: {
    target?: string
    flaky?: (commit: string) => boolean
    holdsFence?: (entry: Entry) => Promise<boolean>
  },
): CheckedGround {
  const values: string[] = []
  const seenGreen = new Set<string>()
  const tried = new Set<string>()
  const inner = scratch.ground.git
  const git: Git = {
    text: (...call) => inner.text(...call),
    read: (...call) => inner.read(...call),
    async run(place, words, options) {
      const answer = await inner.run(place, words, options)
      if (words[0] === 'update-ref' && answer.exitCode === 0) {
        values.push(String(options?.input).split('\0')[1] ?? '')
      }
      return answer
    },
  }
  return {
    ...scratch.ground,
    ...{ git, values, seenGreen, target: more.target ?? 'main', writing: new Turnstile(1) },
    holdsFence: more.holdsFence ?? (async () => true),
    async verify(commit) {
      const first = !tried.has(commit)
      tried.add(commit)
      if (first && more.flaky?.(commit)) return { kind: 'red', evidence: 'chance' }
      const verdict = await runCheck(scratch, commit)
      if (verdict.kind === 'green') seenGreen.add(commit)
      return verdict
    },
  }
}

/** The tasks on a branch, oldest first, by their trailers. */
export function tasksOn(scratch: IntegrationScratch, target: string): string[] {
  return sh(
    scratch.integration.gitDir,
    `git log --reverse --format='%(trailers:key=Task,valueonly,separator=%x20)' ${target}`,
  )
    .split('\n')
    .filter((task) => task !== '')
}
