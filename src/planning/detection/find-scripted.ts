import { type DetectedCommand, present, type UnitFinder } from './detected.ts'
import { parseObject, readManifest } from './package-manifest.ts'
import { hasFile, hasMatch, type ProjectView } from './project-view.ts'

export const findRuby: UnitFinder = (view) => {
  if (!hasFile(view, 'Gemfile')) return undefined
  const gems =
    view.read('Gemfile') +
    view.files
      .filter((path) => /^[^/]+\.gemspec$/.test(path))
      .map((path) => view.read(path))
      .join('\n')
  const uses = (gem: string): boolean => new RegExp(`['"]${gem}['"]`).test(gems)
  return {
    language: 'Ruby',
    packageManager: 'bundler',
    frameworks: present(
      uses('rails') && 'Rails',
      uses('sinatra') && 'Sinatra',
      uses('rspec(-rails)?') && 'RSpec',
    ),
    members: [],
    setup: 'bundle install',
    dependencies: ['vendor/bundle'],
    commands: present<DetectedCommand>(
      rubyTests(view, uses),
      (hasFile(view, '.rubocop.yml') || uses('rubocop')) && {
        kind: 'lint',
        command: 'bundle exec rubocop',
        because: 'rubocop',
      },
      uses('sorbet') && { kind: 'types', command: 'bundle exec srb tc', because: 'gem sorbet' },
    ),
    notes: [],
  }
}

function rubyTests(view: ProjectView, uses: (gem: string) => boolean): DetectedCommand | undefined {
  const kind = 'test'
  if (hasFile(view, '.rspec') || uses('rspec(-rails)?'))
    return { kind, command: 'bundle exec rspec', because: 'rspec' }
  if (hasFile(view, 'bin/rails') && hasMatch(view, /^test\//))
    return { kind, command: 'bin/rails test', because: 'bin/rails and test/' }
  if (/Rake::TestTask|Minitest::TestTask|task\s+:?['"]?test\b/.test(view.read('Rakefile'))) {
    return { kind, command: 'bundle exec rake test', because: 'Rakefile' }
  }
  return undefined
}

export const findPhp: UnitFinder = (view) => {
  if (!hasFile(view, 'composer.json')) return undefined
  const raw = parseObject(view.read('composer.json')) ?? {}
  const packages = Object.keys({ ...Object(raw.require), ...Object(raw['require-dev']) })
  const { scripts } = readManifest(view, 'composer.json')
  const own = Object.keys(Object(raw.scripts))
  const script = (kind: DetectedCommand['kind'], ...names: string[]): DetectedCommand | undefined => {
    const name = names.find((one) => own.includes(one))
    return name === undefined
      ? undefined
      : {
          kind,
          command: `composer run-script ${name}`,
          because: `script "${name}"${scripts[name] ? `: ${scripts[name]}` : ''}`,
        }
  }
  const tool = (kind: DetectedCommand['kind'], files: RegExp, line: string): DetectedCommand | undefined => {
    const file = view.files.find((path) => files.test(path))
    return file === undefined ? undefined : { kind, command: line, because: file }
  }
  return {
    language: 'PHP',
    packageManager: 'composer',
    frameworks: present(
      packages.includes('laravel/framework') && 'Laravel',
      packages.some((name) => name.startsWith('symfony/framework')) && 'Symfony',
      packages.includes('phpunit/phpunit') && 'PHPUnit',
      packages.includes('pestphp/pest') && 'Pest',
    ),
    members: [],
    setup: 'composer install --no-interaction',
    dependencies: ['vendor'],
    commands: present(
      script('test', 'test', 'tests') ??
        tool('test', /^artisan$/, 'php artisan test') ??
        (packages.includes('pestphp/pest')
          ? { kind: 'test' as const, command: 'vendor/bin/pest', because: 'package pestphp/pest' }
          : undefined) ??
        tool('test', /^phpunit\.xml(\.dist)?$/, 'vendor/bin/phpunit'),
      script('lint', 'lint', 'cs', 'check-style') ??
        tool('lint', /^\.?phpcs\.xml(\.dist)?$/, 'vendor/bin/phpcs') ??
        tool('lint', /^\.php-cs-fixer(\.dist)?\.php$/, 'vendor/bin/php-cs-fixer check') ??
        tool('lint', /^pint\.json$/, 'vendor/bin/pint --test'),
      script('types', 'phpstan', 'analyse', 'analyze', 'types') ??
        tool('types', /^phpstan\.neon(\.dist)?$/, 'vendor/bin/phpstan analyse') ??
        tool('types', /^psalm\.xml(\.dist)?$/, 'vendor/bin/psalm'),
      script('build', 'build'),
    ),
    notes: [],
  }
}

const MAKE_TARGETS = {
  test: ['test', 'tests', 'check'],
  lint: ['lint'],
  types: ['typecheck', 'types'],
  build: ['build', 'all'],
} as const

/** The last resort: a project that matches no other stack may still have `make test`. */
export const findMake: UnitFinder = (view) => {
  const file = ['GNUmakefile', 'Makefile', 'makefile', 'justfile', 'Justfile'].find((name) =>
    hasFile(view, name),
  )
  if (file === undefined) return undefined
  const program = /just/i.test(file) ? 'just' : 'make'
  const targets = new Set(
    [...view.read(file).matchAll(/^([A-Za-z][\w-]*)\s*(?:[^:=\n]*):(?!=)/gm)].map((match) => match[1] ?? ''),
  )
  const commands = (['test', 'lint', 'types', 'build'] as const).flatMap((kind): DetectedCommand[] => {
    const target = MAKE_TARGETS[kind].find((name) => targets.has(name))
    return target === undefined
      ? []
      : [{ kind, command: `${program} ${target}`, because: `target ${target} in ${file}` }]
  })
  return {
    language: makeLanguage(view),
    packageManager: program,
    frameworks: [],
    members: [],
    dependencies: [],
    commands,
    notes: [],
  }
}

const LANGUAGES: readonly (readonly [RegExp, string])[] = [
  [/\.(cc|cpp|cxx|hpp)$/, 'C++'],
  [/\.[ch]$/, 'C'],
  [/\.zig$/, 'Zig'],
  [/\.exs?$/, 'Elixir'],
  [/\.hs$/, 'Haskell'],
  [/\.swift$/, 'Swift'],
  [/\.sh$/, 'Shell'],
]

function makeLanguage(view: ProjectView): string {
  return LANGUAGES.find(([pattern]) => hasMatch(view, pattern))?.[1] ?? 'unknown'
}
