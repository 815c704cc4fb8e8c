import { DRIVERS } from '../../../config/work-options.ts'
import type { Choices } from '../../../planning/onboarding/draft-config.ts'
import type { Repository } from '../../../planning/prerequisites/probe-git.ts'
import { Failure } from '../../../platform/failure.ts'
import type { Asker } from '../../ask.ts'
import type { Examined } from './examine-project.ts'
import type { InitOptions } from './init-options.ts'

/** All choices of the user: by flag, else by answer, else by default. Only what is unclear is asked. */
export async function makeChoices(
  options: InitOptions,
  asker: Asker,
  repository: Repository,
  readyDrivers: readonly string[],
  { proofs, surroundings }: Examined,
  vocabulary: string,
): Promise<Choices> {
  const tried = proofs.filter(({ kind }) => kind !== 'setup')
  const red = tried.filter(({ outcome }) => outcome.kind === 'failed')
  const unproven = tried.filter(({ outcome }) => outcome.kind !== 'failed' && outcome.kind !== 'passed')
  const target = options.target ?? repository.branch
  const driver = await chooseDriver(options, asker, readyDrivers)
  return {
    vocabulary,
    ...(target === undefined ? {} : { target }),
    ...(driver === undefined ? {} : { driver }),
    red:
      options.red ??
      (red.length === 0
        ? 'keep'
        : await askAboutRed(
            asker,
            red.map(({ command }) => command),
          )),
    keepUnproven:
      options.keepUnproven ??
      (unproven.length > 0 &&
        (await asker.confirm(
          `Keep what could not be proven (${unproven.map(({ command }) => command).join(', ')})?`,
          false,
        ))),
    hooks: await chooseHooks(options, asker, surroundings),
    copy: options.copy ?? (await chooseCopies(asker, surroundings)),
    variables: await chooseVariables(options, asker, surroundings),
  }
}

async function chooseDriver(
  options: InitOptions,
  asker: Asker,
  ready: readonly string[],
): Promise<string | undefined> {
  const { driver } = options
  if (driver !== undefined) {
    if (DRIVERS.some((known) => known === driver)) return driver
    throw new Failure('USAGE', `unknown driver ${driver}`, { hint: `one of ${DRIVERS.join(', ')}` })
  }
  const [first] = ready
  if (first === undefined || ready.length === 1) return first
  return asker.choose(
    'Which agent should do the work?',
    ready.map((value) => ({ value, label: value })),
    first,
  )
}

function askAboutRed(asker: Asker, commands: readonly string[]): Promise<'keep' | 'optional' | 'drop'> {
  return asker.choose(
    `Already red before any work: ${commands.join(', ')}. What should become of it?`,
    [
      { value: 'keep', label: 'keep it required, and repair the project first' },
      { value: 'optional', label: 'keep it, but let changes land while it is red' },
      { value: 'drop', label: 'leave it out' },
    ],
    'keep',
  )
}

async function chooseHooks(
  options: InitOptions,
  asker: Asker,
  { hooks }: Examined['surroundings'],
): Promise<Choices['hooks']> {
  const usable = hooks.flatMap(({ tool, command }) => (command === undefined ? [] : [{ tool, command }]))
  if (usable.length === 0) return []
  const names = usable.map(({ tool }) => tool).join(' and ')
  const wanted =
    options.hooksAsChecks ?? (await asker.confirm(`Run the commit hooks of ${names} as checks, too?`, false))
  return wanted ? usable : []
}

async function chooseCopies(asker: Asker, { environmentFiles }: Examined['surroundings']): Promise<string[]> {
  if (environmentFiles.length === 0) return []
  return asker.chooseSome(
    'Which of these files should be copied into workspaces? Agents can read them.',
    environmentFiles,
  )
}

async function chooseVariables(
  options: InitOptions,
  asker: Asker,
  { ports }: Examined['surroundings'],
): Promise<Record<string, string>> {
  const names = Object.keys(ports)
  if (names.length === 0) return {}
  const shown = Object.entries(ports)
    .map(([name, port]) => `${name}=${port}`)
    .join(', ')
  const wanted =
    options.slotPorts ?? (await asker.confirm(`Give each agent its own port instead of ${shown}?`, false))
  return wanted
    ? Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, `{slot+${port}}`]))
    : {}
}
