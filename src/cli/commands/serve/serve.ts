import { fileURLToPath } from 'node:url'
import { Failure } from '../../../platform/failure.ts'
import { createGit } from '../../../platform/git/git.ts'
import { chooseBind, LOOPBACK } from '../../../server/guard/choose-bind.ts'
import { newToken } from '../../../server/guard/token.ts'
import type { Listening } from '../../../server/listen.ts'
import { type ServeOptions, serveProject } from '../../../server/serve-project.ts'
import { BUILT } from '../../built.ts'
import type { Context } from '../../context.ts'
import { loadConfig } from '../../load-config.ts'
import { packageVersion } from '../../package-version.ts'
import { withStore } from '../../project.ts'
import { jsonText } from '../../render/json-text.ts'
import { leaveOnInterrupt } from '../run/leave-on-interrupt.ts'
import { type Directing, keepDirecting } from './keep-directing.ts'
import { Lookout } from './look-around.ts'
import { NoticeBoard } from './notice-board.ts'
import { openBrowser } from './open-browser.ts'
import { ServerLog } from './server-log.ts'
import { keepNote, noteFolder, readNote, type ServingNote } from './serving-note.ts'

export interface ServeFlags {
  readonly port?: number
  readonly host?: string
  readonly allowRemote?: boolean
  readonly open: boolean
  readonly allowUnsandboxed?: boolean
}

/** The built pages lie beside the built program. */
const PAGES = fileURLToPath(new URL('../../../../dist-web', import.meta.url))

/** Serves the project until a signal ends it. */
export function serve(context: Context, flags: ServeFlags): Promise<void> {
  return withStore(context, 'serve', async (store, project) => {
    const { root, folder, vocabulary } = project
    const { config } = await loadConfig(folder, { env: context.env })
    await using log = await ServerLog.open(folder)
    const notes = noteFolder(context.env, root)
    const note = await readNote(notes)
    const ownToken = context.env.AXIOM_TOKEN || undefined
    const token = ownToken ?? note?.token ?? newToken()
    const notices = new NoticeBoard(folder)
    await using directing = keepDirecting(
      {
        root,
        vocabulary,
        config,
        store,
        environment: context.env,
        built: BUILT,
        allowUnsandboxed: flags.allowUnsandboxed === true,
      },
      notices,
    )
    const lookout = new Lookout(root, folder, config.disk, notices)
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
        lookAround: () => lookout.look(),
      },
      flags.port === undefined ? portsToTry(note, config.server.port) : [flags.port],
    )
    if (ownToken === undefined) await keepNote(notes, { token, port: server.port })
    let opened: AsyncDisposable | undefined
    await ended(directing, async () => {
      opened = await tell(context, server, token, flags, notes)
    })
    await opened?.[Symbol.asyncDispose]()
    await server.close()
  })
}

/** Open tabs reconnect to the earlier port; if that is taken by now, any free port will do. */
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

/** The token is in the fragment, which browsers do not send. */
async function tell(
  context: Context,
  { url }: Listening,
  token: string,
  { open, host }: ServeFlags,
  privateFolder: string,
): Promise<AsyncDisposable | undefined> {
  const address = `${url}/#token=${token}`
  if (context.json) {
    context.out(jsonText({ type: 'listening', url, token, openapi: `${url}/api/openapi.json` }))
    return undefined
  }
  context.out(`AXIOM answers at ${address}`)
  context.err(
    host === undefined || host === LOOPBACK
      ? 'Only this machine can reach it. Ctrl-C ends it.'
      : 'Other machines can reach it, and what is sent is not encrypted. Ctrl-C ends it.',
  )
  return open ? openBrowser(context, address, privateFolder) : undefined
}

/**
 * The first Ctrl-C lets running iterations end while the pages still show them; a second one stops them at
 * once. Resolves when nothing is directed any more.
 */
async function ended(directing: Directing, begin: () => Promise<void>): Promise<void> {
  let isOver: () => void = () => undefined
  const asked = new Promise<void>((resolve) => (isOver = resolve))
  using _ = leaveOnInterrupt((how) => {
    directing.leave(how)
    isOver()
  })
  // Called after the signal handlers are set: a reader of the printed address may end the server at once.
  await begin()
  await asked
  await directing[Symbol.asyncDispose]()
}
