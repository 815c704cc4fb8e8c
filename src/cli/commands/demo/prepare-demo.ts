import { chmod, cp, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Failure } from '../../../platform/failure.ts'
import { readText } from '../../../platform/files/read-text.ts'
import { createGit } from '../../../platform/git/git.ts'
import type { Context } from '../../context.ts'
import { EXIT } from '../../exit-code.ts'
import type { RunInside } from '../../run-inside.ts'
import type { DemoMaterial } from './demo-material.ts'
import { demoPlaybook, MEETING } from './demo-playbook.ts'

/**
 * Marker files that say "this is a demo" and "this demo is ready". They lie in `.git`, so they never count as
 * changes of the work tree.
 */
const MARK = 'axiom-demo'
const READY_MARK = 'axiom-demo-ready'
const DRESSING = '.axiom/demo'
const AGENTS = 3

export interface PreparedDemo {
  readonly root: string
  readonly playbook: string
  /** An earlier demo in this folder is continued. */
  readonly isResumed: boolean
  /** What Ava found and tried; empty when it is resumed. */
  readonly ava: AvaReport
  /** Plan key → case id. */
  readonly keys: Readonly<Record<string, string>>
}

export interface AvaReport {
  readonly proofs: readonly { readonly name: string; readonly command: string; readonly passed: boolean }[]
  /** The sandbox level; `none` where no sandbox works, null where no command was tried. */
  readonly sandbox: string | null
}

const STANDING: PreparedDemo = {
  root: '',
  playbook: '',
  isResumed: true,
  ava: { proofs: [], sandbox: null },
  keys: {},
}

/**
 * Makes the sample repository and its project, or finds them as an earlier demo left them. A demo that was
 * interrupted before it was ready starts over, because it holds no work yet.
 */
export async function prepareDemo(
  context: Context,
  material: DemoMaterial,
  { dir, seed, runInside }: { readonly dir?: string; readonly seed: number; readonly runInside: RunInside },
): Promise<PreparedDemo> {
  const root = await chooseFolder(context, dir)
  const playbook = join(root, DRESSING, 'playbook.json')
  if ((await readText(join(root, '.git', READY_MARK))) !== undefined) return { ...STANDING, root, playbook }
  await layOutSample(context, material, root)
  const ava = await meetAva(runInside, root)
  await dress(material, root, seed)
  for (const [key, value] of settings(root)) await must(runInside, root, ['config', 'set', key, value])
  const planned = await must(runInside, root, ['plan', '--from', material.plan, '--yes', '--json'])
  const { keys } = JSON.parse(planned) as Pick<PreparedDemo, 'keys'>
  await writeFile(join(root, '.git', READY_MARK), '')
  return { root, playbook, isResumed: false, ava, keys }
}

async function chooseFolder({ cwd }: Context, dir: string | undefined): Promise<string> {
  if (dir === undefined) return realpath(await mkdtemp(join(tmpdir(), 'axiom-demo-')))
  const folder = resolve(cwd, dir)
  await mkdir(folder, { recursive: true })
  const isDemo = (await readText(join(folder, '.git', MARK))) !== undefined
  if (!isDemo && (await readdir(folder)).length > 0) {
    throw new Failure('USAGE_FILE', `${folder} is not empty, and no demo was made in it`, {
      hint: 'name a folder that is empty or not there, or leave --dir away',
    })
  }
  return realpath(folder)
}

/**
 * Rebuilds the folder from scratch. Only the mark stays, because it proves that the content may be deleted.
 */
async function layOutSample({ env }: Context, { sample }: DemoMaterial, root: string): Promise<void> {
  await mkdir(join(root, '.git'), { recursive: true })
  await writeFile(join(root, '.git', MARK), '')
  await clear(root, '.git')
  await clear(join(root, '.git'), MARK)
  const git = createGit(env.PATH ?? '')
  await git.run({ cwd: root }, ['init', '--quiet', '--initial-branch=main'])
  await cp(sample, root, { recursive: true })
  const here = { gitDir: join(root, '.git'), workTree: root }
  await git.run(here, ['add', '--all'])
  const author = ['user.name=AXIOM demo', 'user.email=demo@axiom.invalid']
  await git.run(here, ['commit', '--quiet', '--message', 'feat: a small ledger @human'], { settings: author })
}

async function clear(folder: string, kept: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name !== kept) await rm(join(folder, name), { recursive: true, force: true })
}

async function meetAva(runInside: RunInside, root: string): Promise<AvaReport> {
  const answer = await must(runInside, root, ['init', '--yes', '--driver', 'sim', '--red', 'keep', '--json'])
  const { proofs, sandbox } = JSON.parse(answer) as {
    sandbox: string | null
    proofs: readonly { name: string; command: string; outcome: { kind: string } }[]
  }
  return {
    sandbox,
    proofs: proofs.map(({ name, command, outcome }) => ({
      name,
      command,
      passed: outcome.kind === 'passed',
    })),
  }
}

async function dress(material: DemoMaterial, root: string, seed: number): Promise<void> {
  const folder = join(root, DRESSING)
  await mkdir(join(folder, MEETING), { recursive: true })
  // In the sandbox an agent may run as another user than the owner of the folder.
  await chmod(join(folder, MEETING), 0o777)
  await writeFile(join(folder, 'playbook.json'), JSON.stringify(demoPlaybook(material, seed), undefined, 2))
}

function settings(root: string): (readonly [string, string])[] {
  return [
    ['agents.driver', 'sim'],
    ['agents.maxConcurrent', String(AGENTS)],
    ['review.defaultMode', 'skip'],
    ['sandbox.readWrite', JSON.stringify([join(root, DRESSING, MEETING)])],
  ]
}

async function must(runInside: RunInside, root: string, argv: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runInside(root, argv)
  if (code === EXIT.ok) return stdout
  throw new Failure('DEMO_FAILED', `axiom ${argv[0]} ended with ${code}: ${stderr.trim()}`, {
    hint: '"axiom doctor" tells what is missing on this machine',
  })
}
