import { fileURLToPath } from 'node:url'
import { Failure } from '../../platform/failure.ts'
import { createGit } from '../../platform/git/git.ts'
import { chooseBind, LOOPBACK } from '../../server/guard/choose-bind.ts'
import { newToken } from '../../server/guard/token.ts'
import type { Listening } from '../../server/listen.ts'
import { type ServeOptions, serveProject } from '../../server/serve-project.ts'
import type { Store } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { loadConfig } from '../load-config.ts'
import { packageVersion } from '../package-version.ts'
import { type Project, withStore } from '../project.ts'
import { jsonText } from '../render/json-text.ts'
import { openBrowser } from './open-browser.ts'
import { ServerLog } from './server-log.ts'
import { keepNote, noteFolder, readNote, type ServingNote } from './serving-note.ts'

export interface ServeFlags {
  readonly port?: number
  readonly host?: string
  readonly allowRemote?: boolean
  readonly open: boolean
}

/** The built pages lie beside the built program. */
const PAGES = fileURLToPath(new URL('../../../dist-web', import.meta.url))

/** Serves the project until a signal ends it. */
export function serve(context: Context, flags: ServeFlags): Promise<void> {
  return withStore(context, 'serve', async (store, project) => {
    await using server = await openServer(context, store, project, flags)
    tell(context, server, flags)
    await ended()
  })
}

/** A server that answers until it is disposed of. */
export interface OpenServer extends AsyncDisposable {
  readonly url: string
  readonly token: string
  /** What a browser is opened with. The token stands behind a `#`: browsers keep that part to themselves. */
  readonly address: string
}

export async function openServer(
  context: Context,
  store: Store,
  { root, folder, vocabulary }: Project,
  flags: ServeFlags,
): Promise<OpenServer> {
  const { config } = await loadConfig(folder)
  const log = await ServerLog.open(folder)
  const notes = noteFolder(context.env, root)
  const note = await readNote(notes)
  const ownToken = context.env.AXIOM_TOKEN || undefined
  const token = ownToken ?? note?.token ?? newToken()
  const server = await listenSomewhere(
    {
      store,
      root,
      vocabulary,
      config,
      git: createGit(context.env.PATH ?? ''),
      version: await packageVersion(),
      pagesFolder: PAGES,
      host: chooseBind({
        remoteAllowed: flags.allowRemote === true,
        ...(flags.host === undefined ? {} : { host: flags.host }),
        ...(ownToken === undefined ? {} : { token: ownToken }),
      }),
      token,
      log: (access) => log.access(access),
      logTrouble: (error) => log.trouble(error),
    },
    flags.port === undefined ? portsToTry(note, config.server.port) : [flags.port],
  )
  if (ownToken === undefined) await keepNote(notes, { token, port: server.port })
  const { url } = server
  const close = async () => {
    await server.close()
    await log[Symbol.asyncDispose]()
  }
  return { url, token, address: `${url}/#token=${token}`, [Symbol.asyncDispose]: close }
}

/** Tabs that are open look for the server where it was; if somebody else is there by now, any free place will do. */
function portsToTry(note: ServingNote | undefined, configured: number): number[] {
  return [...new Set([...(note ? [note.port] : []), configured, 0])]
}

async function listenSomewhere(
  options: Omit<ServeOptions, 'port'>,
  ports: readonly number[],
): Promise<Listening> {
  for (const [at, port] of ports.entries()) {
    try {
      return await serveProject({ ...options, port })
    } catch (error) {
      const isTaken = error instanceof Failure && error.code === 'SERVER_PORT'
      if (!isTaken || at === ports.length - 1) throw error
    }
  }
  throw new Failure('SERVER_PORT', 'there is no port to listen at')
}

function tell(context: Context, { url, token, address }: OpenServer, { open, host }: ServeFlags): void {
  if (context.json) {
    context.out(jsonText({ type: 'listening', url, token, openapi: `${url}/api/openapi.json` }))
    return
  }
  context.out(`AXIOM answers at ${address}`)
  context.err(
    host === undefined || host === LOOPBACK
      ? 'Only this machine can reach it. Ctrl-C ends it.'
      : 'Other machines can reach it, and what is sent is not encrypted. Ctrl-C ends it.',
  )
  if (open) openBrowser(context, address)
}

/** Resolves with the first signal that asks the process to end. */
function ended(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}
