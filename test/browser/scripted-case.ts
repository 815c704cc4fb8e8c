import type { CaseDetail, CaseSummary, Diff } from '../../src/server/contract.ts'
import { AT, type Say } from './scripted-rows.ts'

const COMMIT = 'a'.repeat(40)
const SPEND = { costUsd: 0.5, tokens: 1_200, minutes: 3.25, runs: 2 }

/** Everything that a case can show, whatever its state. */
export function scriptedDetail(summary: CaseSummary, all: readonly CaseSummary[], say: Say): CaseDetail {
  return {
    summary,
    content: say('content'),
    waits: summary.column === 'waiting' ? say('why it waits') : '',
    lineage: all.filter(({ id }) => id === 'dir-001' || id === 'op-001'),
    children: all.filter(({ parentId }) => parentId === summary.id),
    dependencies: all.filter(({ id }) => summary.dependsOn.includes(id)),
    dependents: all.filter(({ dependsOn }) => dependsOn.includes(summary.id)),
    criteria: (['met', 'unmet', 'unjudged'] as const).map((state) => ({
      text: say(`criterion ${state}`),
      state,
      evidence: [{ by: 'auditor-001', text: say(`evidence ${state}`), commit: COMMIT }],
    })),
    history: [
      {
        timestamp: AT,
        type: 'status_change',
        from: { status: 'pending' },
        to: { status: 'active' },
        actor: 'echo-001',
        reason: say('reason in the history'),
      },
    ],
    runs: [
      {
        agent: 'echo-001',
        agents: 'echo',
        end: 'complete',
        endedAt: AT,
        durationMs: 61_000,
        iterations: 2,
        costUsd: 0.5,
        tokens: 1_200,
      },
    ],
    work: [COMMIT, 'c'.repeat(40)].map((commit, at) => ({
      number: at + 1,
      commit,
      ref: `refs/axiom/work/${at + 1}`,
    })),
    thread: (['REVIEW_FAILED', 'AUDIT_PASSED'] as const).map((verdict) => ({
      id: verdict,
      at: AT,
      by: 'critic-001',
      role: 'critic',
      verdict,
      from: 'critique',
      to: verdict === 'REVIEW_FAILED' ? 'developing' : 'audit',
      commit: COMMIT,
      text: say(`words of ${verdict}`),
      issues: [{ text: say(`issue of ${verdict}`), file: say('file of an issue'), line: 3, blocks: true }],
    })),
    delivery: {
      state: summary.delivery ?? 'developing',
      returnsTo: [],
      rounds: {},
      commit: COMMIT,
      wait: null,
    },
    proof: {
      commit: COMMIT,
      tree: COMMIT,
      at: AT,
      checks: [
        {
          name: say('name of a check'),
          command: 'npm test',
          passed: true,
          flaky: false,
          tests: 8,
          durationMs: 900,
          output: '',
        },
      ],
      empty: false,
      evidence: 'e'.repeat(64),
    },
    spend: { own: SPEND, total: SPEND, budget: { usd: 5 } },
    logs: ['echo', 'critic'].map((agents) => ({
      agents,
      file: `${summary.id}.jsonl`,
      bytes: 100,
      updatedAt: AT,
    })),
    fields: {},
  }
}

export function scriptedDiff(say: Say): Diff {
  return {
    base: 'b'.repeat(40),
    commit: COMMIT,
    linesAdded: 2,
    linesRemoved: 1,
    files: [
      {
        path: say('path of a file'),
        oldPath: say('old path of a file'),
        kind: 'renamed',
        binary: false,
        linesAdded: 2,
        linesRemoved: 1,
        hunks: [
          {
            oldStart: 1,
            oldLines: 2,
            newStart: 1,
            newLines: 3,
            heading: say('heading of a hunk'),
            lines: [
              { side: 'both', text: say('line that stays') },
              { side: 'old', text: say('line that goes') },
              { side: 'new', text: say('line that comes') },
              { side: 'new', text: 'second line that comes' },
            ],
          },
        ],
      },
      {
        path: 'picture.png',
        oldPath: null,
        kind: 'added',
        binary: true,
        linesAdded: 0,
        linesRemoved: 0,
        hunks: [],
      },
    ],
  }
}

export function scriptedLog(say: Say): string {
  const entry = { timestamp: AT, event: 'iteration', number: 1, input: `one\n${say('input in the log')}` }
  return `${JSON.stringify(entry)}\n${say('line in the log').replaceAll('\n', ' ')}\n`
}
