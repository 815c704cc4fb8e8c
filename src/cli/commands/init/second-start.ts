import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writeConfigText } from '../../../config/read-config-text.ts'
import { isObject } from '../../../config/value-path.ts'
import { planScaffold, type ScaffoldPlan, scaffoldPaths } from '../../../personas/scaffold.ts'
import { type Choices, draftConfig, inFolder } from '../../../planning/onboarding/draft-config.ts'
import { keepChecks } from '../../../planning/onboarding/keep-checks.ts'
import { projectFiles, projectFolders, workspacesIgnore } from '../../../planning/onboarding/project-files.ts'
import { completeProject, replaceFiles } from '../../../planning/onboarding/write-project.ts'
import { readText } from '../../../platform/files/read-text.ts'
import type { Context } from '../../context.ts'
import { EXIT } from '../../exit-code.ts'
import { loadConfig, readConfigFile, writeConfigFile } from '../../load-config.ts'
import { consultAva, openWanted } from './ava/consult-ava.ts'
import { examineCounters, touchStore } from './examine-counters.ts'
import { type Examined, examineProject, type Watcher } from './examine-project.ts'
import { makeFirstCommit } from './first-commit.ts'
import { limitsOf } from './first-start.ts'
import { makeChoices } from './make-choices.ts'
import { openWalls, showWalls } from './open-walls.ts'
import { showProof } from './show-init.ts'
import type { Start } from './start.ts'

/** A later start: restores missing files, shows what differs, and changes only what is asked for. */
export async function secondStart(start: Start): Promise<void> {
  const { context, repository, vocabulary } = start
  const folder = join(repository.root, vocabulary.folder)
  const counters = await examineCounters(folder)
  const plan = planScaffold(vocabulary, await readExisting(start))
  const added = await writeMissing(start, plan)
  await touchStore(folder)
  const { path, warnings } = await loadConfig(folder, { env: context.env })
  const changed = (await wantsDetection(start)) ? await detectAgain(start, folder) : false
  const { config } = await loadConfig(folder, { env: context.env })
  const updated = await updateDefaults(start, plan)
  const committed = await makeFirstCommit(start)
  const say = (...lines: readonly string[]): void =>
    context.json ? undefined : lines.forEach((line) => void context.out(line))
  say(`Welcome back. ${vocabulary.personas.ava.name} here: ${repository.root} is set up already.`)
  say(...[...warnings, ...counters])
  say(
    `  ${config.verification.length} checks, ${config.agents.maxConcurrent} agents at once, review mode ${config.review.defaultMode} (${path})`,
  )
  say(
    ...added.map((name) => `  added ${name}`),
    ...updated.map((name) => `  updated ${name} (you had not changed it)`),
  )
  say(...showKept(plan))
  if (!changed) say('Changes: axiom config set KEY VALUE; axiom init --detect looks at the commands again.')
  if (context.json) {
    const kept = plan.keep.map((file) => file.path)
    const differ = plan.differ.map((file) => ({ path: file.path, diff: file.diff }))
    const notes = [...warnings, ...counters]
    const value = {
      start: 'later',
      root: repository.root,
      folder: vocabulary.folder,
      vocabulary: vocabulary.name,
      firstCommit: committed,
      added,
      updated,
      kept,
      differ,
      notes,
      config,
    }
    context.out(JSON.stringify(value))
  }
  if (committed === 'missing') {
    say('PREREQ_NO_COMMIT: the repository has no commit yet; axiom init --first-commit makes one.')
    context.exit(EXIT.personNeeded)
  }
}

async function readExisting({ repository, vocabulary }: Start): Promise<Map<string, string>> {
  const existing = new Map<string, string>()
  for (const path of scaffoldPaths(vocabulary)) {
    const text = await readText(join(repository.root, path))
    if (text !== undefined) existing.set(path, text)
  }
  return existing
}

/**
 * Writes files that were never there or were lost. A folder without a configuration gets the defaults, which
 * are untested.
 */
async function writeMissing({ repository, vocabulary }: Start, plan: ScaffoldPlan): Promise<string[]> {
  const missing = plan.write.filter(({ reason }) => reason !== 'updated')
  const config = `${vocabulary.folder}/config.json`
  const target = repository.branch
  const choices: Choices = {
    vocabulary: vocabulary.name,
    ...(target === undefined ? {} : { target }),
    red: 'keep',
    keepUnproven: false,
    hooks: [],
    copy: [],
    variables: {},
  }
  const first = existsSync(join(repository.root, config))
    ? []
    : [{ path: config, text: writeConfigText(draftConfig([], [], choices)) }]
  return completeProject(repository.root, {
    folders: [...projectFolders(vocabulary), ...plan.folders],
    files: [...projectFiles(vocabulary), ...missing, ...first, workspacesIgnore(vocabulary)],
  })
}

/** Defaults that a newer AXIOM improved and the user never changed are shown, then replaced on consent. */
async function updateDefaults(
  { asker, context, options, repository }: Start,
  plan: ScaffoldPlan,
): Promise<string[]> {
  const updates = plan.write.filter(({ reason }) => reason === 'updated')
  const texts = updates.filter(({ diff }) => diff !== '')
  if (texts.length > 0) {
    for (const { diff } of texts) context.err(diff)
    const question = `Take over ${texts.length} improved default ${texts.length === 1 ? 'text' : 'texts'} that you had not changed?`
    if (!(options.yes ?? (await asker.confirm(question, false)))) return []
  }
  await replaceFiles(repository.root, updates)
  return texts.map(({ path }) => path)
}

function showKept({ keep, differ }: ScaffoldPlan): string[] {
  return [
    ...keep.map(({ path, reason }) => `  kept ${path} (${reason} by you)`),
    ...differ.flatMap(({ path, diff }) => [
      `  kept ${path}, though its default has changed; to take over by hand:`,
      diff,
    ]),
  ]
}

async function wantsDetection({ asker, options }: Start): Promise<boolean> {
  if (options.detect === true || options.agent !== undefined) return true
  const answer = await asker.choose(
    'This project is set up already. What shall I do?',
    [
      { value: 'nothing', label: 'leave it as it is' },
      { value: 'detect', label: 'look at its commands again' },
    ],
    'nothing',
  )
  return answer === 'detect'
}

/** Detects the commands again and writes them after showing them; other options stay unchanged. */
async function detectAgain(start: Start, folder: string): Promise<boolean> {
  const { asker, context, options, repository, vocabulary, world } = start
  const { config: settings } = await loadConfig(folder, { env: context.env })
  const ava = await openWanted(start, settings)
  const limits = limitsOf(options, settings)
  let units: Parameters<typeof showProof>[1] = []
  const watcher: Watcher = {
    found: (all, sandbox) => {
      units = all
      if (sandbox) context.err(showWalls(sandbox))
    },
    started: (command) => context.err(context.colors.dim(`  … ${command}`)),
    ended: (proof) => showProof(proof, units, context.colors).forEach((line) => void context.err(line)),
  }
  const tried = options.prove ? limits : undefined
  const examined = await examineProject(world, repository, tried, watcher, () => openWalls(start, settings))
  const choices = await makeChoices(options, asker, repository, [], examined, vocabulary.name)
  const { raw } = await readConfigFile(folder)
  const { config: draft } = await consultAva(start, ava, {
    examined,
    choices,
    limits,
    isReturning: true,
    present: raw,
    say: (...lines) => lines.forEach((line) => void context.err(line)),
  })
  const present = isObject(raw) ? raw : {}
  const workspace = {
    ...(isObject(present.workspace) ? present.workspace : {}),
    ...(isObject(draft.workspace) ? draft.workspace : {}),
  }
  const verification =
    options.yes === true
      ? keepChecks(present.verification, draft.verification, decidedBy(options, examined))
      : draft.verification
  const next = {
    ...present,
    verification,
    ...(Object.keys(workspace).length > 0 ? { workspace } : {}),
  }
  if (JSON.stringify(next) === JSON.stringify(present)) return false
  showChange(context, present.verification, verification)
  if (!(options.yes ?? (await asker.confirm('Write these commands?', false)))) return false
  await writeConfigFile(folder, writeConfigText(next))
  return true
}

/** `--red` decides about failing checks, so a check that failed is not kept against it. */
function decidedBy({ red }: Start['options'], { proofs }: Examined): ReadonlySet<string> {
  const failed = red === undefined ? [] : proofs.filter(({ outcome }) => outcome.kind === 'failed')
  return new Set(failed.map(({ folder, command }) => inFolder(folder, command)))
}

function showChange(context: Context, before: unknown, after: unknown): void {
  context.err(`  verification is   ${JSON.stringify(before ?? [])}`)
  context.err(`  verification becomes ${JSON.stringify(after)}`)
}
