import { basename, join } from 'node:path'
import type { Config } from '../config/schema.ts'
import { systemClock } from '../platform/clock.ts'
import { readText } from '../platform/files/read-text.ts'
import type { Git } from '../platform/git/git.ts'
import { personEventContext } from '../project/delivery/event-context.ts'
import type { Store } from '../store/store.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import { CommandDesk } from './commands/carry-out.ts'
import type { Access } from './create-app.ts'
import { type Listening, listen } from './listen.ts'
import { loadPages } from './pages.ts'
import { Picture, type Surroundings } from './picture/picture.ts'
import type { ProjectFacts } from './picture/project-row.ts'
import { projectWords } from './project-words.ts'
import type { CaseGround } from './reading/read-case.ts'
import type { Route } from './route.ts'
import { caseRoutes } from './routes/case-routes.ts'
import { codeRoutes } from './routes/code-routes.ts'
import { liveRoutes } from './routes/live-routes.ts'
import { whoDirects } from './who-directs.ts'

export interface ServeOptions {
  readonly store: Store
  /** The root of the user's repository. */
  readonly root: string
  readonly vocabulary: Vocabulary
  readonly config: Config
  readonly git: Git
  readonly version: string
  /** The folder of the built pages. */
  readonly pagesFolder: string
  readonly host: string
  /** Zero means any free port. */
  readonly port: number
  readonly token: string
  log(access: Access): void
  logTrouble(error: unknown): void
  /** Facts of the director that no case holds, if it runs in this process. */
  lookAround?(): Promise<Surroundings>
}

const NOTHING_AROUND: Surroundings = { weather: [], alerts: [], health: [], batches: null }

/** Serves one project until closed, whichever processes own its store and direct it. */
export async function serveProject(options: ServeOptions): Promise<Listening> {
  const { store, log, logTrouble } = options
  const picture = await Picture.open({
    store,
    facts: await factsOf(options),
    words: projectWords(options.vocabulary),
    whoDirects,
    lookAround: options.lookAround ?? (async () => NOTHING_AROUND),
    logTrouble,
  })
  try {
    const listening = await listen({
      host: options.host,
      port: options.port,
      token: options.token,
      routes: routesOf(options, picture),
      pages: await loadPages(options.pagesFolder),
      version: options.version,
      now: systemClock.now,
      log,
      logDefect: logTrouble,
    })
    return {
      ...listening,
      close: async () => {
        await picture[Symbol.asyncDispose]()
        await listening.close()
      },
    }
  } catch (error) {
    await picture[Symbol.asyncDispose]()
    throw error
  }
}

async function factsOf({ root, version, config }: ServeOptions): Promise<ProjectFacts> {
  return {
    name: basename(root),
    root,
    version,
    target: config.integration.target ?? (await branchAt(join(root, '.git'))),
    checks: config.verification.map(({ name }) => name),
    slotsTotal: config.agents.maxConcurrent,
    quietHours: config.quietHours,
  }
}

/** The checked-out branch, only for display. */
async function branchAt(gitDir: string): Promise<string> {
  const head = await readText(join(gitDir, 'HEAD')).catch(() => undefined)
  return /^ref: refs\/heads\/(\S+)/.exec(head ?? '')?.[1] ?? ''
}

function routesOf(options: ServeOptions, picture: Picture): Route[] {
  const { store, root, vocabulary, config, git } = options
  const projectFolder = join(root, vocabulary.folder)
  const ground: CaseGround = {
    store,
    shelf: picture.shelf,
    projectFolder,
    code: { git, integration: { gitDir: join(projectFolder, 'integration.git') } },
  }
  const desk = new CommandDesk({
    store,
    projectFolder,
    wordWorld: async () => personEventContext(projectFolder, config),
  })
  return [...liveRoutes(picture, desk), ...caseRoutes(ground), ...codeRoutes(ground)]
}
