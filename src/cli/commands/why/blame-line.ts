import { Failure } from '../../../platform/failure.ts'
import { isObjectName } from '../../../platform/git/names.ts'
import { gitDirectories } from '../../../workspaces/repository-fingerprint.ts'
import type { LandedProject } from '../../with-ground.ts'

/** The origin of a line, according to git. */
export interface LineOrigin {
  readonly file: string
  readonly line: number
  readonly text: string
  /** The commit that wrote it; null while it is not committed. */
  readonly commit: string | null
  readonly subject: string
  readonly at: string | null
  readonly author: string
  readonly task: CaseTrailer
  readonly agent: CaseTrailer
  /** The agent's own last commit, as it was made. */
  readonly source: CaseTrailer
}

type CaseTrailer = string | null

const PLACE = /^(.+):(\d+)$/
const UNCOMMITTED = /^0+$/

/** `src/login.ts:12`. */
export function parsePlace(text: string): { readonly file: string; readonly line: number } {
  const [, file = '', line = ''] = PLACE.exec(text) ?? []
  if (file !== '' && Number(line) >= 1) return { file, line: Number(line) }
  throw new Failure('USAGE', `${JSON.stringify(text)} is no line of a file`, {
    hint: 'name a file and a line: "axiom why src/login.ts:12"',
  })
}

/** Blames a line in the user's repository, as the file is in the work tree. */
export async function blameLine(
  { root, ground: { git } }: LandedProject,
  { file, line }: { readonly file: string; readonly line: number },
): Promise<LineOrigin> {
  const { gitDir } = await gitDirectories(root)
  const place = { gitDir, workTree: root }
  const words = ['blame', '--porcelain', '-L', `${line},${line}`, '--', file]
  const { exitCode, stdout, stderr } = await git.run(place, words, { expect: [0, 128] })
  if (exitCode !== 0) {
    throw new Failure('LINE_NOT_FOUND', `git knows no line ${line} of ${file}: ${stderr.split('\n')[0]}`, {
      hint: 'name a file of this repository and one of its lines',
    })
  }
  const [head = '', ...rows] = stdout.toString('utf8').split('\n')
  const [commit = ''] = head.split(' ')
  const text = rows.find((row) => row.startsWith('\t'))?.slice(1) ?? ''
  const nobody = { subject: '', at: null, author: '', task: null, agent: null, source: null }
  if (!isObjectName(commit) || UNCOMMITTED.test(commit)) return { file, line, text, commit: null, ...nobody }
  return { file, line, text, commit, ...(await describe()) }

  async function describe(): Promise<Omit<LineOrigin, 'file' | 'line' | 'text' | 'commit'>> {
    const trailers = ['Task', 'Agent', 'Source'].map(
      (key) => `%(trailers:key=${key},valueonly,unfold,separator=%x1e)`,
    )
    const format = ['%s', '%aI', '%an', ...trailers].join('%x1f')
    const said = await git.text(place, ['log', '-1', `--format=${format}`, commit, '--'])
    const [subject = '', at = '', author = '', task = '', agent = '', source = ''] = said.split('\x1f')
    return { subject, at, author, task: task || null, agent: agent || null, source: source || null }
  }
}
