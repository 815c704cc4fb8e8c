import { Failure } from '../failure.ts'
import { GIT_SETTINGS, gitEnvironment } from './git-environment.ts'
import { type Asking, type GitObject, ObjectReader } from './object-reader.ts'
import { type GitAnswer, spawnGit } from './spawn-git.ts'

/** Where git works. The directory is always named: discovery could find a planted repository. */
export interface Repository {
  readonly gitDir: string
  readonly workTree?: string
  readonly indexFile?: string
  readonly lasting?: true
}

/** A repository that stays in place and only grows: one reader process can stay open for all its queries. */
export interface LastingRepository extends Repository {
  readonly lasting: true
}

export function isLasting(repository: Repository): repository is LastingRepository {
  return repository.lasting === true
}

/** For the few commands that create a repository rather than work in one. */
export interface Outside {
  readonly cwd: string
}

export type Place = Repository | Outside

export interface RunOptions {
  readonly input?: Uint8Array | string
  /** Exit codes that the caller understands; any other is a failure. */
  readonly expect?: readonly number[]
  readonly settings?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

export interface Git {
  run(place: Place, words: readonly string[], options?: RunOptions): Promise<GitAnswer>
  /** The output as text without its last line break. */
  text(place: Place, words: readonly string[], options?: RunOptions): Promise<string>
  /** The object that a name leads to, or nothing; no process is started for it. */
  read(repository: LastingRepository, asking: Asking, name: string): Promise<GitObject | undefined>
}

/** Long enough for a first checkout of a large repository on a slow disk. */
const GIT_WAIT_MS = 600_000

export function createGit(searchPath: string, waitMs = GIT_WAIT_MS): Git {
  const environment = gitEnvironment(searchPath)
  async function run(place: Place, words: readonly string[], options: RunOptions = {}) {
    const answer = await spawnGit({
      arguments: [...GIT_SETTINGS, ...(options.settings ?? []).flatMap((s) => ['-c', s]), ...words],
      environment: { ...environment, ...variables(place), ...options.environment },
      cwd: 'cwd' in place ? place.cwd : (place.workTree ?? place.gitDir),
      input: options.input,
      waitMs,
    })
    if (!(options.expect ?? [0]).includes(answer.exitCode)) throw failureOf(words, answer)
    return answer
  }
  const readers = new Map<string, ObjectReader>()
  function readerOf({ gitDir }: LastingRepository): ObjectReader {
    const kept = readers.get(gitDir)
    if (kept) return kept
    const start = {
      arguments: GIT_SETTINGS,
      environment: { ...environment, ...variables({ gitDir }) },
    }
    const reader: ObjectReader = new ObjectReader(start, waitMs, () => {
      if (readers.get(gitDir) === reader) readers.delete(gitDir)
    })
    readers.set(gitDir, reader)
    return reader
  }
  return {
    run,
    async text(place, words, options) {
      return (await run(place, words, options)).stdout.toString('utf8').replace(/\n$/, '')
    },
    async read(repository, asking, name) {
      if (/[\0\n]/.test(name)) throw new Failure('GIT_UNSAFE_NAME', `${JSON.stringify(name)} names no object`)
      return readerOf(repository).ask(asking, name)
    },
  }
}

function variables(place: Place): Record<string, string> {
  if ('cwd' in place) return {}
  const { gitDir, workTree, indexFile } = place
  return {
    GIT_DIR: gitDir,
    ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }),
    ...(indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile }),
  }
}

/** Only git's stderr text distinguishes these causes; the locale is fixed so that the text is, too. */
const KNOWN_CAUSES: readonly (readonly [RegExp, string, string])[] = [
  [
    /No space left on device|Disk quota exceeded/,
    'GIT_DISK_FULL',
    'Free some disk space; nothing was removed.',
  ],
  [
    /\.lock': File exists|Unable to create '.*\.lock'/,
    'GIT_LOCKED',
    'Another git process works there; try again.',
  ],
  [/dubious ownership/, 'GIT_OWNERSHIP', 'Run AXIOM as the user who owns the repository.'],
  [/fsck|badTree|hasDot|fullPathname|missingEmail|zeroPadded/, 'GIT_UNSOUND_OBJECTS', ''],
]

function failureOf(words: readonly string[], answer: GitAnswer): Failure {
  const known = KNOWN_CAUSES.find(([pattern]) => pattern.test(answer.stderr))
  const [, code, hint] = known ?? [undefined, 'GIT_FAILED', '']
  const said = answer.stderr.split('\n').slice(-6).join('\n')
  return new Failure(code, `git ${words[0]} ended with ${answer.exitCode}: ${said}`, {
    hint,
    retryable: code === 'GIT_LOCKED',
  })
}
