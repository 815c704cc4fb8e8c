import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { Failure } from '../../platform/failure.ts'
import { findVocabulary, VOCABULARIES } from '../../vocabulary/find-vocabulary.ts'
import type { Vocabulary } from '../../vocabulary/vocabulary.ts'
import { createAsker } from '../ask.ts'
import type { Context } from '../context.ts'
import { requireRepository } from '../init/examine-project.ts'
import { firstStart } from '../init/first-start.ts'
import type { InitOptions } from '../init/init-options.ts'
import { secondStart } from '../init/second-start.ts'

const PROVE_SECONDS_MAX = 86_400

export function define(command: Command, context: () => Context): void {
  command
    .option('-y, --yes', 'ask nothing; every question takes its cautious default')
    .addOption(
      new Option('--vocabulary <name>', 'the names that people and agents use').choices(
        Object.keys(VOCABULARIES),
      ),
    )
    .option('--target <branch>', 'branch that work lands on (default: the one that is checked out)')
    .option('--driver <name>', 'what runs agents (default: the first that is installed and logged in)')
    .addOption(
      new Option('--red <how>', 'what becomes of a check that fails already').choices([
        'keep',
        'optional',
        'drop',
      ]),
    )
    .option('--keep-unproven', 'write commands that could not be tried, too')
    .option('--hooks-as-checks', 'run the commit hooks of husky, pre-commit or lefthook as checks')
    .option('--copy <file>', 'copy this untracked file into workspaces; agents can read it', collect)
    .option('--slot-ports', 'give each agent its own port for every port that was found')
    .option('--first-commit', 'commit all files when the repository has no commit yet')
    .option('--git-init', 'make a repository when there is none')
    .option('--no-prove', 'do not run the commands that were found')
    .addOption(
      new Option('--prove-timeout <seconds>', 'seconds for each command that is tried').argParser(seconds),
    )
    .option('--detect', 'at a later start: look at the commands again')
    .action((options: InitOptions) => init(context(), options))
  command.addHelpText(
    'after',
    `
Writes the project's folder and nothing else: no file of yours is changed, and no edit of yours is overwritten later.
Exit code 5: set up, but the repository has no commit yet (see --first-commit).

Examples:
  axiom init
  axiom init --yes --vocabulary swarm
  axiom init --yes --copy .env --slot-ports --red optional`,
  )
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

function seconds(text: string): string {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1 && number <= PROVE_SECONDS_MAX) return text
  throw new Failure('USAGE', `--prove-timeout is ${text}`, {
    hint: `a whole number from 1 to ${PROVE_SECONDS_MAX}`,
  })
}

async function init(context: Context, options: InitOptions): Promise<void> {
  const asker = createAsker(context, options.yes === true)
  const world = { cwd: context.cwd, env: context.env }
  const repository = await requireRepository(world, asker, options.gitInit === true)
  const present = Object.values(VOCABULARIES).find(({ folder }) => isFolder(join(repository.root, folder)))
  const vocabulary = chooseVocabulary(options.vocabulary, present)
  const start = { context, options, asker, world, repository, vocabulary }
  await (present === undefined ? firstStart(start) : secondStart(start))
}

/** Names are in ids, files and prompts all over the folder, so they are chosen once. */
function chooseVocabulary(wanted: string | undefined, present: Vocabulary | undefined): Vocabulary {
  if (present !== undefined && wanted !== undefined && wanted !== present.name) {
    throw new Failure(
      'USAGE',
      `this project speaks ${present.name} (${present.folder}/); the vocabulary is chosen once`,
      {
        hint: `leave --vocabulary away, or move ${present.folder}/ aside to start afresh`,
      },
    )
  }
  return present ?? findVocabulary(wanted ?? 'axiom') ?? VOCABULARIES.axiom
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
