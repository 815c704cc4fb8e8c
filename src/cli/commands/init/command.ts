import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { Failure } from '../../../platform/failure.ts'
import { findVocabulary, VOCABULARIES } from '../../../vocabulary/find-vocabulary.ts'
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts'
import { createAsker } from '../../ask.ts'
import type { Context } from '../../context.ts'
import { AVA_DRIVERS } from './ava/open-ava.ts'
import { requireRepository } from './examine-project.ts'
import { firstStart } from './first-start.ts'
import type { InitOptions } from './init-options.ts'
import { secondStart } from './second-start.ts'

const LIMIT_SECONDS_MAX = 86_400

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
      new Option('--prove-timeout <seconds>', 'seconds for each command that is tried').argParser(
        seconds('--prove-timeout'),
      ),
    )
    .addOption(
      new Option(
        '--agent <name>',
        'an agent looks around and proposes; it uses your account, so it never starts unasked',
      ).choices([...AVA_DRIVERS]),
    )
    .addOption(
      new Option('--agent-timeout <seconds>', 'seconds for each turn of the agent (default: 900)').argParser(
        seconds('--agent-timeout'),
      ),
    )
    .option('--allow-unsandboxed', 'let the agent run where no sandbox holds; it can reach all that you can')
    .option('--detect', 'at a later start: look at the commands again')
    .action((options: InitOptions) => init(context(), options))
  command.addHelpText(
    'after',
    `
Writes the project's folder and nothing else: no file of yours is changed, and no edit of yours is overwritten later.
With --agent, Ava works in a throwaway checkout inside the sandbox, may ask you, and proposes checks and set-up. Each
command of hers is run again in a fresh checkout: what does not pass is named and not written, and what the rules had
proven stays unless you say otherwise. When nothing usable comes of it, the result of the rules stands.
Exit code 4: no sandbox holds here (see --allow-unsandboxed), or the agent is not installed.
Exit code 5: set up, but the repository has no commit yet (see --first-commit).

Examples:
  axiom init
  axiom init --yes --vocabulary swarm
  axiom init --yes --copy .env --slot-ports --red optional
  axiom init --agent claude`,
  )
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

function seconds(flag: string): (text: string) => string {
  return (text) => {
    const number = Number(text)
    if (Number.isInteger(number) && number >= 1 && number <= LIMIT_SECONDS_MAX) return text
    throw new Failure('USAGE', `${flag} is ${text}`, {
      hint: `a whole number from 1 to ${LIMIT_SECONDS_MAX}`,
    })
  }
}

export async function init(context: Context, options: InitOptions): Promise<void> {
  const asker = createAsker(context, options.yes === true)
  const world = { cwd: context.cwd, env: context.env }
  const repository = await requireRepository(world, asker, options.gitInit === true)
  const present = Object.values(VOCABULARIES).find(({ folder }) => isFolder(join(repository.root, folder)))
  const vocabulary = chooseVocabulary(options.vocabulary, present)
  const start = { context, options, asker, world, repository, vocabulary }
  await (present === undefined ? firstStart(start) : secondStart(start))
}

/** Names occur in ids, files and prompts all over the folder, so the vocabulary cannot change later. */
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
