import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { CaseType, Status } from '../../cases/case.ts'
import { Failure } from '../../platform/failure.ts'
import type { Git, Repository } from '../../platform/git/git.ts'
import { listRefs, moveRefs, resolveCommit } from '../../platform/git/repository-operations.ts'

/** The tag that marks a checkpoint's commit, and the ref that keeps the states of the cases at that moment. */
const TAGS = 'refs/tags/axiom'
const STATES = 'refs/axiom/checkpoints'
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i

/** A case as it stood when a checkpoint was made. */
export interface CaseState {
  readonly id: string
  readonly type: CaseType
  readonly status: Status
}

export interface Checkpoint {
  readonly name: string
  /** The commit of the target that it marks. */
  readonly commit: string
  readonly at: string
  /** Whether a person named it; a named checkpoint is kept until a person removes it. */
  readonly isNamed: boolean
  readonly reason: string
}

const description = z.strictObject({
  at: z.iso.datetime(),
  isNamed: z.boolean(),
  reason: z.string().max(200),
  /** Digest of the kept states, by which later damage is detected. */
  states: z.string().regex(/^[0-9a-f]{64}$/),
})

const states = z.array(z.strictObject({ id: z.string(), type: z.string(), status: z.string() }))

/** A name that can stand in a ref. */
export function checkpointName(text: string): string {
  if (NAME.test(text) && !text.includes('..') && !/\.(?:lock)?$/.test(text)) return text
  throw new Failure('USAGE', `${JSON.stringify(text)} is no name for a checkpoint`, {
    hint: 'letters, digits, ".", "_" and "-", at most 64, beginning with a letter or a digit',
  })
}

/** Keeps a commit and the states of the cases under a name that is not taken yet. */
export async function writeCheckpoint(
  git: Git,
  repository: Repository,
  { name, commit, at, isNamed, reason }: Checkpoint,
  cases: readonly CaseState[],
): Promise<'written' | 'taken'> {
  checkpointName(name)
  const body = JSON.stringify(cases)
  const kept = await git.text(repository, ['hash-object', '-w', '--stdin'], { input: body })
  const told = { at, isNamed, reason: reason.slice(0, 200), states: digestOf(body) }
  const seconds = Math.floor(Date.parse(at) / 1000)
  const tag = await git.text(repository, ['mktag'], {
    input: [
      `object ${commit}`,
      'type commit',
      `tag axiom/${name}`,
      `tagger AXIOM <axiom@axiom.invalid> ${seconds} +0000`,
      '',
      JSON.stringify(told),
      '',
    ].join('\n'),
  })
  const moves = [
    { ref: `${STATES}/${name}`, to: kept, from: undefined },
    { ref: `${TAGS}/${name}`, to: tag, from: undefined },
  ]
  return (await moveRefs(git, repository, moves)) === 'moved' ? 'written' : 'taken'
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** All checkpoints that can be read, the oldest first. */
export async function listCheckpoints(git: Git, repository: Repository): Promise<Checkpoint[]> {
  const found: Checkpoint[] = []
  for (const ref of (await listRefs(git, repository, TAGS)).keys()) {
    const read = await readTag(git, repository, ref.slice(TAGS.length + 1))
    if (read) found.push(read.checkpoint)
  }
  return found.toSorted((a, b) => a.at.localeCompare(b.at) || a.name.localeCompare(b.name))
}

/** A checkpoint with the states it keeps. */
export async function readCheckpoint(
  git: Git,
  repository: Repository,
  name: string,
): Promise<{ readonly checkpoint: Checkpoint; readonly cases: readonly CaseState[] }> {
  const known = NAME.test(name) && (await listRefs(git, repository, `${TAGS}/${name}`)).has(`${TAGS}/${name}`)
  if (!known) {
    throw new Failure('CHECKPOINT_NOT_FOUND', `there is no checkpoint ${name}`, {
      hint: '"axiom checkpoint --list" shows those there are',
    })
  }
  const read = await readTag(git, repository, name)
  const { exitCode, stdout } = await git.run(repository, ['cat-file', 'blob', `${STATES}/${name}`], {
    expect: [0, 128],
  })
  const text = stdout.toString('utf8')
  if (!read || exitCode !== 0 || digestOf(text) !== read.states) throw corrupted(name)
  const parsed = states.safeParse(JSON.parse(text))
  if (!parsed.success) throw corrupted(name)
  return { checkpoint: read.checkpoint, cases: parsed.data as CaseState[] }
}

export function corrupted(name: string): Failure {
  return new Failure('CHECKPOINT_CORRUPTED', `what the checkpoint ${name} kept cannot be read whole`, {
    hint: '"axiom checkpoint --list" shows others; nothing was changed',
  })
}

async function readTag(git: Git, repository: Repository, name: string) {
  const commit = await resolveCommit(git, repository, `${TAGS}/${name}`)
  const words = ['for-each-ref', '--format=%(objecttype)%00%(contents:subject)', `${TAGS}/${name}`]
  const [type, subject = ''] = (await git.text(repository, words)).split('\0')
  if (type !== 'tag' || commit === undefined) return undefined
  const parsed = description.safeParse(parseJson(subject))
  if (!parsed.success) return undefined
  const { at, isNamed, reason, states: digest } = parsed.data
  return { checkpoint: { name, commit, at, isNamed, reason }, states: digest }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export async function removeCheckpoint(git: Git, repository: Repository, name: string): Promise<void> {
  checkpointName(name)
  const input = [`${TAGS}/${name}`, `${STATES}/${name}`].map((ref) => `delete ${ref}\0\0`).join('')
  await git.run(repository, ['update-ref', '--stdin', '-z'], { input })
}
