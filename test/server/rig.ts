import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configSchema } from '../../src/config/schema.ts'
import { createGit } from '../../src/platform/git/git.ts'
import type { CommandAnswer, PersonCommand, Snapshot, StreamMessage } from '../../src/server/contract.ts'
import type { Access } from '../../src/server/create-app.ts'
import { newToken } from '../../src/server/guard/token.ts'
import type { Listening } from '../../src/server/listen.ts'
import { type ServeOptions, serveProject } from '../../src/server/serve-project.ts'
import { FileStore } from '../../src/store/jsonl/file-store.ts'
import type { Store } from '../../src/store/store.ts'
import { AXIOM } from '../../src/vocabulary/axiom.ts'

/** A server over a small project of its own, in a folder that goes with it. */
export interface Rig extends AsyncDisposable {
  readonly root: string
  readonly folder: string
  readonly store: Store
  readonly server: Listening
  readonly token: string
  readonly accesses: readonly Access[]
  readonly troubles: readonly unknown[]
  get(path: string, headers?: Record<string, string>): Promise<Response>
  snapshot(): Promise<Snapshot>
  command(command: PersonCommand, key?: string): Promise<CommandAnswer>
}

export const INDEX = '<!doctype html><title>AXIOM</title><script src="/assets/app-AbCdEf12.js"></script>'
let serial = 0

export async function startRig(changes: Partial<ServeOptions> = {}): Promise<Rig> {
  const root = mkdtempSync(join(tmpdir(), 'axiom-server-'))
  const folder = join(root, '.axiom')
  const pagesFolder = join(root, 'pages')
  mkdirSync(join(pagesFolder, 'assets'), { recursive: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(pagesFolder, 'index.html'), INDEX)
  writeFileSync(join(pagesFolder, 'assets/app-AbCdEf12.js'), 'export {}')
  const ownStore = changes.store === undefined ? new FileStore({ folder }) : undefined
  const store = changes.store ?? (ownStore as Store)
  const accesses: Access[] = []
  const troubles: unknown[] = []
  const token = changes.token ?? newToken()
  const server = await serveProject({
    store,
    root,
    vocabulary: AXIOM,
    config: configSchema.parse({ review: { defaultMode: 'skip' } }),
    git: createGit(process.env.PATH ?? ''),
    version: '0.0.0',
    pagesFolder,
    host: '127.0.0.1',
    port: 0,
    token,
    log: (access) => void accesses.push(access),
    logTrouble: (error) => void troubles.push(error),
    ...changes,
  })
  const bearer = { authorization: `Bearer ${token}` }
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, { headers: { ...bearer, ...headers } })
  return {
    root,
    folder,
    store,
    server,
    token,
    accesses,
    troubles,
    get,
    snapshot: async () => (await (await get('/api/snapshot')).json()) as Snapshot,
    command: async (command, key) => {
      serial += 1
      const answer = await fetch(`${server.url}/api/commands`, {
        method: 'POST',
        headers: { ...bearer, 'content-type': 'application/json' },
        body: JSON.stringify({ key: key ?? `test-key-${serial}`, command }),
      })
      return (await answer.json()) as CommandAnswer
    },
    async [Symbol.asyncDispose]() {
      await server.close()
      await ownStore?.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** A directive, an operation and so many tasks. */
export async function fill(store: Store, tasks: number): Promise<void> {
  await store.transact({
    by: 'user',
    commands: [
      { kind: 'create', type: 'directive', content: 'a need' },
      { kind: 'create', type: 'operation', content: 'a part of it', parentId: 'dir-001' },
      ...Array.from({ length: tasks }, (_, index) => ({
        kind: 'create' as const,
        type: 'task' as const,
        content: `task number ${index + 1}\nwith a second line`,
        parentId: 'op-001',
        metadata: { acceptanceCriteria: ['the parser reads numbers'] },
      })),
    ],
  })
}

/** The integration repository of a project, with a target and the work of one task beside it. */
export function layOutGit(folder: string): { readonly base: string; readonly work: string } {
  const gitDir = join(folder, 'integration.git')
  const scratch = mkdtempSync(join(tmpdir(), 'axiom-scratch-'))
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], {
      cwd: scratch,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: scratch, GIT_CONFIG_NOSYSTEM: '1' },
    }).trim()
  try {
    git('init', '-q', '-b', 'main', '.')
    writeFileSync(join(scratch, 'kept.txt'), 'one\ntwo\nthree\n')
    writeFileSync(join(scratch, 'old name.txt'), 'a\nb\nc\nd\ne\nf\n')
    git('add', '-A')
    git('commit', '-q', '-m', 'first')
    const base = git('rev-parse', 'HEAD')
    git('checkout', '-q', '-b', 'work')
    writeFileSync(join(scratch, 'kept.txt'), 'one\n2\nthree\n--- a/x\n+++ b/x\n@@ -1 +1 @@')
    git('mv', 'old name.txt', 'new "name".txt')
    mkdirSync(join(scratch, 'deep/er'), { recursive: true })
    writeFileSync(join(scratch, 'deep/er/file.ts'), 'export const x = 1\n')
    writeFileSync(join(scratch, 'picture.bin'), Buffer.from([0, 1, 2, 3]))
    git('add', '-A')
    git('commit', '-q', '-m', 'work')
    const work = git('rev-parse', 'HEAD')
    git('clone', '-q', '--bare', '.', gitDir)
    git('--git-dir', gitDir, 'update-ref', 'refs/axiom/runs/task-001/1', work)
    git('--git-dir', gitDir, 'symbolic-ref', 'HEAD', 'refs/heads/main')
    return { base, work }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

export interface RawAnswer {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A request with exactly these headers: fetch would correct some of them. */
export function rawRequest(
  server: Listening,
  { method = 'GET', path, headers = {}, body }: RawRequest,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        host: '127.0.0.1',
        port: server.port,
        method,
        path,
        headers: { host: `127.0.0.1:${server.port}`, ...headers },
        setHost: false,
        agent: false,
      },
      (answer) => {
        const chunks: Buffer[] = []
        const isStream = answer.headers['content-type']?.startsWith('text/event-stream')
        answer.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          // A stream has no end of its own.
          if (isStream) answer.destroy()
        })
        answer.on('close', () =>
          resolve({
            status: answer.statusCode ?? 0,
            body: Buffer.concat(chunks).toString('utf8'),
            headers: answer.headers,
          }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

export interface RawRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The messages of a stream, one after the other. */
export async function* readStream(
  rig: Pick<Rig, 'server' | 'token'>,
  cursor: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<StreamMessage> {
  const answer = await fetch(`${rig.server.url}/api/stream`, {
    headers: {
      authorization: `Bearer ${rig.token}`,
      ...(cursor === undefined ? {} : { 'last-event-id': cursor }),
    },
    signal,
  })
  if (answer.status !== 200 || !answer.body) throw new Error(`the stream answered ${answer.status}`)
  const decoder = new TextDecoder()
  let held = ''
  for await (const chunk of answer.body) {
    held += decoder.decode(chunk, { stream: true })
    for (let end = held.indexOf('\n\n'); end >= 0; end = held.indexOf('\n\n')) {
      const data = held
        .slice(0, end)
        .split('\n')
        .find((line) => line.startsWith('data: '))
      held = held.slice(end + 2)
      if (data) yield JSON.parse(data.slice('data: '.length)) as StreamMessage
    }
  }
}
