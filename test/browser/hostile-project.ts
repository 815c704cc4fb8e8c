import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NoticeBoard } from '../../src/cli/commands/serve/notice-board.ts'
import { newDelivery } from '../../src/delivery/delivery-state.ts'
import { AlertBook } from '../../src/project/alerts.ts'
import type { Store } from '../../src/store/store.ts'
import { type Rig, startRig } from '../server/rig.ts'
import { CORPUS, hostileSpeech } from './hostile-corpus.ts'
import { PAGES } from './scripted-server.ts'

const NAME_BYTES_MAX = 200
/** The metadata of a case is small; the corpus begins elsewhere in each text, so that all of it is in some. */
const SHORT_CHARACTERS = 900
/** A branch may be called so. */
const BRANCH = '<img/src=x/onerror=window.executed=1>\u202e'
const say = hostileSpeech()

/** A project in which everything that an agent or a repository can write is hostile, behind the real readers. */
export async function startHostileProject(): Promise<Rig> {
  let board: NoticeBoard | undefined
  const rig = await startRig({
    pagesFolder: PAGES,
    lookAround: async () => ({
      alerts: (await board?.alerts()) ?? [],
      weather: [
        { pair: 'task-001 task-002', tasks: ['task-001', 'task-002'], sky: 'same-lines', files: fileNames() },
      ],
      health: [
        {
          id: 'disk',
          name: 'Disk',
          state: 'ok',
          value: say('value'),
          detail: say('detail'),
          at: new Date().toISOString(),
        },
      ],
      batches: null,
    }),
  })
  board = new NoticeBoard(rig.folder)
  mkdirSync(join(rig.root, '.git'))
  writeFileSync(join(rig.root, '.git/HEAD'), `ref: refs/heads/${BRANCH}\n`)
  await tellAlerts(rig.folder)
  const work = layOutHostileGit(rig.folder)
  writeLogs(rig.folder)
  await fillStore(rig.store, work)
  await rig.command({ kind: 'pause', reason: say('pause').slice(0, 900) })
  rig.store.publishLive([
    {
      agent: 'echo-001',
      task: 'task-001',
      state: 'iteration',
      iteration: 1,
      elapsedMs: 1_000,
      progress: 10,
      activity: say('activity'),
      warning: say('warning'),
    },
  ])
  return rig
}

/** Each text of the corpus as the name of a file, as far as git takes it. */
function fileNames(): string[] {
  const names = CORPUS.map((text) => text.replaceAll('/', '∕').replaceAll('\0', ''))
  return names.filter((name) => Buffer.byteLength(name) < NAME_BYTES_MAX)
}

async function tellAlerts(folder: string): Promise<void> {
  await using book = new AlertBook(folder, Date.now)
  for (const severity of ['low', 'critical'] as const) {
    book.add({ code: 'HOOK_FAILED', severity, message: say(severity), task: 'task-001', agent: 'echo-001' })
  }
}

/** File names, lines, headings of hunks, messages and authors of commits, and a branch: all hostile. */
function layOutHostileGit(folder: string): string {
  const scratch = mkdtempSync(join(tmpdir(), 'axiom-hostile-'))
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=<script>x</script>', '-c', 'user.email=a@b.c', ...words], {
      cwd: scratch,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: scratch, GIT_CONFIG_NOSYSTEM: '1' },
    }).trim()
  try {
    git('init', '-q', '-b', 'main', '.')
    const before = Array.from(
      { length: 20 },
      (_, at) => `function ${say(`f${at}`).replaceAll('\n', ' ')}() {`,
    )
    writeFileSync(join(scratch, 'kept.js'), `${before.join('\n')}\n`)
    git('add', '-A')
    git('commit', '-q', '-m', say('first').replaceAll('\0', ''))
    git('checkout', '-q', '-b', BRANCH)
    for (const name of fileNames()) writeFileSync(join(scratch, name), CORPUS.join('\n').replaceAll('\0', ''))
    writeFileSync(
      join(scratch, 'kept.js'),
      `${before.map((line, at) => (at === 15 ? say('changed') : line)).join('\n')}\n`,
    )
    git('add', '-A')
    git('commit', '-q', '-m', say('work').replaceAll('\0', ''))
    const work = git('rev-parse', 'HEAD')
    const gitDir = join(folder, 'integration.git')
    git('clone', '-q', '--bare', '.', gitDir)
    git('--git-dir', gitDir, 'update-ref', 'refs/axiom/runs/task-001/1', work)
    git('--git-dir', gitDir, 'symbolic-ref', 'HEAD', 'refs/heads/main')
    return work
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function writeLogs(folder: string): void {
  mkdirSync(join(folder, 'agents/echo/logs'), { recursive: true })
  mkdirSync(join(folder, 'metrics'), { recursive: true })
  const entry = {
    timestamp: new Date().toISOString(),
    event: say('event'),
    text: CORPUS.join('\n'),
    [say('key')]: 1,
  }
  writeFileSync(
    join(folder, 'agents/echo/logs/task-001.jsonl'),
    [JSON.stringify(entry), ...CORPUS, `{"timestamp": "${CORPUS[0]}`, ''].join('\n'),
  )
  writeFileSync(join(folder, 'agents/echo/logs/echo-001-task-001.log'), `${CORPUS.join('\n')}\n`)
  const run = { task: 'task-001', agent: say('agent'), persona: 'echo', end: say('end'), at: entry.timestamp }
  writeFileSync(join(folder, 'metrics/history.jsonl'), `${JSON.stringify(run)}\n`)
}

async function fillStore(store: Store, commit: string): Promise<void> {
  const at = new Date().toISOString()
  const blob = (value: unknown) => store.putBlob(Buffer.from(JSON.stringify(value)))
  const findings = await blob([
    { by: 'critic-001', commit, text: say('finding'), file: say('file'), line: 3 },
    { by: 'critic-001', commit, kind: 'advice', text: say('advice') },
    { by: 'expert-001', commit: null, kind: 'advice', text: say('loose advice') },
  ])
  const auditor = await blob({
    body: { criteria: [{ criterion: 'C1', evidence: say('evidence') }] },
  })
  const evidence = await blob({
    proof: { commit, tree: commit },
    checks: [{ name: say('check'), command: say('line'), output: say('output') }],
  })
  const delivery = {
    ...newDelivery(),
    state: 'person-review',
    commit,
    findings,
    verdicts: [{ id: 'v1', signal: 'REVIEW_FAILED', sender: 'critic', agent: 'critic-001', commit, at }],
  }
  const answer = await store.transact({
    by: 'user',
    commands: [
      { kind: 'create', type: 'directive', content: say('need') },
      { kind: 'create', type: 'operation', content: say('operation'), parentId: 'dir-001' },
      ...[1, 2, 3].map((number) => ({
        kind: 'create' as const,
        type: 'task' as const,
        content: say(`task ${number}`),
        parentId: 'op-001',
        metadata: { acceptanceCriteria: [say('criterion').slice(0, SHORT_CHARACTERS)] },
      })),
      {
        kind: 'create',
        type: 'discovery',
        content: say('discovery'),
        parentId: 'task-001',
        metadata: { scope: 'global', category: 'pitfall', impact: 'high' },
      },
      {
        kind: 'create',
        type: 'pending',
        content: say('pending'),
        metadata: {
          question: say('question').slice(0, SHORT_CHARACTERS),
          context: say('context').slice(0, SHORT_CHARACTERS),
          options: [
            { label: say('option').slice(0, 200), tradeOff: say('price').slice(0, SHORT_CHARACTERS) },
          ],
          attempts: [say('attempt').slice(0, SHORT_CHARACTERS)],
          fallback: say('option').slice(0, 200),
          deadline: at,
          raisedBy: 'echo-001',
          waitingTask: 'task-002',
        },
      },
      { kind: 'move', id: 'task-001', status: 'active', reason: say('reason').slice(0, 900) },
      { kind: 'move', id: 'task-001', status: 'review', reason: say('reason').slice(0, 900) },
      {
        kind: 'update',
        id: 'task-001',
        metadata: { delivery, words: { auditor: { digest: auditor, commit } }, run: { evidence } },
      },
      { kind: 'move', id: 'task-003', status: 'blocked', reason: say('why').slice(0, 900) },
      { kind: 'claim', id: 'task-002', stage: 'develop', holder: 'echo-002', ttlMs: 3_600_000 },
    ],
  })
  if (answer.kind !== 'committed') throw new Error(JSON.stringify(answer).slice(0, 2_000))
}
