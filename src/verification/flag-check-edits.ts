import type { ChangedPath } from '../platform/git/compare-trees.ts'

/** A change of the checks themselves; a person should look at it before it takes effect. */
export interface CheckEdit {
  readonly path: string
  readonly kind: 'scripts' | 'ci' | 'runner' | 'named-in-command' | 'test-removed' | 'attributes'
}

const CI =
  /^(?:\.github\/(?:workflows|actions)\/|\.gitlab-ci\.yml$|\.circleci\/|\.buildkite\/|\.travis\.yml$|azure-pipelines\.yml$|Jenkinsfile$|bitbucket-pipelines\.yml$|\.drone\.yml$|\.husky\/|\.pre-commit-config\.yaml$|lefthook\.yml$)/
const RUNNER =
  /(?:^|\/)(?:(?:vitest|vite|jest|playwright|cypress|karma|ava|wdio|babel|eslint|prettier|stylelint|webpack)\.(?:config|setup|workspace)\.[\w.]+|\.mocharc(?:\.\w+)?|\.eslintrc(?:\.\w+)?|\.eslintignore|\.nycrc(?:\.\w+)?|\.c8rc(?:\.\w+)?|biome\.jsonc?|tsconfig[\w.-]*\.json|pytest\.ini|tox\.ini|setup\.cfg|noxfile\.py|conftest\.py|\.coveragerc|mypy\.ini|ruff\.toml|phpunit\.xml(?:\.dist)?|\.rspec|Rakefile|Makefile|justfile|Taskfile\.ya?ml|pom\.xml|build\.gradle(?:\.kts)?|[\w.-]+\.runsettings|Directory\.Build\.(?:props|targets)|codecov\.yml)$/
const MANIFEST = /(?:^|\/)(?:package\.json|composer\.json|pyproject\.toml|Cargo\.toml|deno\.jsonc?)$/
const TEST =
  /(?:^|\/)(?:tests?|__tests__|spec)\/|[._-](?:test|spec)\.\w+$|(?:^|\/)test_[^/]*\.py$|_test\.(?:go|py|rb)$|Tests?\.(?:java|kt|cs)$/

/** The parts of a manifest that say how the project is checked. */
const MANIFEST_PARTS = [
  'scripts',
  'jest',
  'mocha',
  'ava',
  'nyc',
  'c8',
  'eslintConfig',
  'lint-staged',
  'husky',
  'pnpm',
  'overrides',
  'autoload-dev',
]

export interface Manifests {
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Which changed files decide about the checks; `manifestOf` gives both versions of a manifest. */
export function flagCheckEdits(
  changes: readonly ChangedPath[],
  commands: readonly string[],
  manifests: ReadonlyMap<string, Manifests>,
): CheckEdit[] {
  const named = wordsOf(commands)
  return changes.flatMap(({ path, status }): CheckEdit[] => {
    if (MANIFEST.test(path))
      return changesChecks(path, manifests.get(path)) ? [{ path, kind: 'scripts' }] : []
    if (CI.test(path)) return [{ path, kind: 'ci' }]
    if (RUNNER.test(path)) return [{ path, kind: 'runner' }]
    if (/(?:^|\/)\.gitattributes$/.test(path)) return [{ path, kind: 'attributes' }]
    if (
      named.some((word) => word === path || path.startsWith(`${word}/`)) &&
      !(status === 'A' && TEST.test(path))
    ) {
      return [{ path, kind: 'named-in-command' }]
    }
    return status === 'D' && TEST.test(path) ? [{ path, kind: 'test-removed' }] : []
  })
}

export function isManifest(path: string): boolean {
  return MANIFEST.test(path)
}

/** Words of the commands that could be paths of the repository, without quotes and a leading `./`. */
function wordsOf(commands: readonly string[]): string[] {
  return commands
    .flatMap((command) => command.split(/[\s;&|()<>"'`=]+/))
    .map((word) => word.replace(/^\.\//, '').replace(/\/$/, ''))
    .filter((word) => /[./]/.test(word) && !word.startsWith('-') && word !== '.')
}

function changesChecks(path: string, manifest: Manifests | undefined): boolean {
  if (!manifest) return true
  if (!path.endsWith('.json')) return checkSections(manifest.before) !== checkSections(manifest.after)
  return checkParts(manifest.before) !== checkParts(manifest.after)
}

function checkParts(text: string | undefined): string {
  try {
    const parsed: unknown = JSON.parse(text ?? '{}')
    if (typeof parsed !== 'object' || parsed === null) return ''
    const record = parsed as Record<string, unknown>
    return JSON.stringify(MANIFEST_PARTS.map((part) => record[part] ?? null))
  } catch {
    // An unreadable manifest may contain anything, so it counts as changed.
    return `unreadable ${text}`
  }
}

/** The sections of a TOML file that configure tools; dependencies and the version may change freely. */
function checkSections(text: string | undefined): string {
  const sections = (text ?? '').split(/^(?=\[)/m)
  return sections
    .filter((section) =>
      /^\[+(?:tool\.(?!poetry\]|poetry\.dep|uv)|profile|lints|features|test|bench)/.test(section),
    )
    .join('')
}
