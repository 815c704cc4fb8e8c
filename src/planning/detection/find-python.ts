import { type DetectedCommand, present, type UnitFinder } from './detected.ts'
import { hasFile, hasMatch, mentions, type ProjectView } from './project-view.ts'

const MANIFESTS = ['pyproject.toml', 'setup.cfg', 'setup.py', 'requirements.txt', 'Pipfile', 'tox.ini']
const REQUIREMENTS = /^requirements[^/]*\.txt$|^requirements\/[^/]+\.txt$/
const TEST_FILE = /(^|\/)(test_[^/]+|[^/]+_test)\.py$/

const FRAMEWORKS = ['django', 'flask', 'fastapi', 'starlette', 'pytest', 'celery', 'pandas', 'torch', 'numpy']
const TITLES: Readonly<Record<string, string>> = {
  django: 'Django',
  flask: 'Flask',
  fastapi: 'FastAPI',
  pytest: 'pytest',
}

interface PythonManager {
  readonly name: string
  readonly setup?: string
  /** Turns `pytest` into the line that finds it. */
  module(name: string, rest?: string): string
  program(line: string): string
}

export const findPython: UnitFinder = (view) => {
  if (!hasFile(view, ...MANIFESTS) && !hasMatch(view, REQUIREMENTS)) return undefined
  const manager = choosePythonManager(view)
  const known = MANIFESTS.concat(view.files.filter((path) => REQUIREMENTS.test(path)))
  return {
    language: 'Python',
    packageManager: manager.name,
    frameworks: FRAMEWORKS.filter((name) =>
      mentions(view, known, new RegExp(`(^|[^\\w-])${name}([^\\w-]|$)`, 'im')),
    ).map((name) => TITLES[name] ?? name),
    members: [],
    ...(manager.setup === undefined ? {} : { setup: manager.setup }),
    dependencies: ['.venv'],
    commands: present(testCommand(view, manager), lintCommand(view, manager), typesCommand(view, manager)),
    notes: present(hasFile(view, 'noxfile.py') && 'noxfile.py is there; its sessions are not read'),
  }
}

function choosePythonManager(view: ProjectView): PythonManager {
  const project = view.read('pyproject.toml')
  const runner = (name: string, setup: string, prefix: string): PythonManager => ({
    name,
    setup,
    module: (module, rest = '') => `${prefix} python -m ${module}${rest}`,
    program: (line) => `${prefix} ${line}`,
  })
  if (hasFile(view, 'uv.lock') || /^\[tool\.uv/m.test(project))
    return runner('uv', 'uv sync --all-extras', 'uv run')
  if (hasFile(view, 'poetry.lock') || /^\[tool\.poetry\]/m.test(project)) {
    return runner('poetry', 'poetry install', 'poetry run')
  }
  if (hasFile(view, 'pdm.lock')) return runner('pdm', 'pdm sync --dev', 'pdm run')
  if (hasFile(view, 'Pipfile')) return runner('pipenv', 'pipenv install --dev', 'pipenv run')
  return pip(view, project)
}

/**
 * Without an environment manager, a virtual environment is created; a project without packages needs none.
 */
function pip(view: ProjectView, project: string): PythonManager {
  const lists = view.files.filter((path) => REQUIREMENTS.test(path) && /^\s*[A-Za-z]/m.test(view.read(path)))
  const installed = [...lists.map((path) => `-r ${path}`), ...ownPackage(view, project)]
  if (installed.length === 0) {
    return {
      name: 'pip',
      module: (module, rest = '') => `python3 -m ${module}${rest}`,
      program: (line) => line,
    }
  }
  return {
    name: 'pip',
    setup: `python3 -m venv .venv && .venv/bin/pip install --quiet ${installed.join(' ')}`,
    module: (module, rest = '') => `.venv/bin/python -m ${module}${rest}`,
    program: (line) => `.venv/bin/${line}`,
  }
}

function ownPackage(view: ProjectView, project: string): string[] {
  const packaged = /^\[build-system\]/m.test(project) || hasFile(view, 'setup.py')
  if (!packaged) return []
  const optional =
    /^\[project\.optional-dependencies\]\n([\s\S]*?)(?=^\[|(?![\s\S]))/m.exec(project)?.[1] ?? ''
  const extras = ['dev', 'test', 'tests'].filter((name) => new RegExp(`^${name}\\s*=`, 'm').test(optional))
  return [extras.length > 0 ? `-e '.[${extras.join(',')}]'` : '-e .']
}

function testCommand(view: ProjectView, manager: PythonManager): DetectedCommand | undefined {
  const kind = 'test'
  if (hasFile(view, 'manage.py')) {
    return {
      kind,
      command: manager.module('django', ' test').replace(/-m django test$/, 'manage.py test'),
      because: 'manage.py',
    }
  }
  const configured =
    hasFile(view, 'pytest.ini') ||
    mentions(view, ['pyproject.toml', 'setup.cfg', 'tox.ini'], /^\[(tool:)?(tool\.)?pytest/m) ||
    mentions(
      view,
      [...MANIFESTS, ...view.files.filter((path) => REQUIREMENTS.test(path))],
      /(^|[^\w-])pytest([^\w]|$)/m,
    )
  const tests = view.files.filter((path) => TEST_FILE.test(path))
  const imported = tests.find((path) => /^\s*(import|from) pytest\b/m.test(view.read(path)))
  if (configured)
    return { kind, command: manager.module('pytest'), because: 'pytest is named in the manifest' }
  if (imported !== undefined)
    return { kind, command: manager.module('pytest'), because: `${imported} imports pytest` }
  if (tests.length === 0) return undefined
  const where = tests.every((path) => path.startsWith('tests/')) ? ' -s tests' : ''
  return { kind, command: manager.module('unittest', ` discover${where}`), because: `${tests[0]}` }
}

function lintCommand(view: ProjectView, manager: PythonManager): DetectedCommand | undefined {
  const kind = 'lint'
  if (hasFile(view, 'ruff.toml', '.ruff.toml') || mentions(view, ['pyproject.toml'], /^\[tool\.ruff/m)) {
    return { kind, command: manager.program('ruff check .'), because: 'configuration of ruff' }
  }
  if (hasFile(view, '.flake8') || mentions(view, ['setup.cfg', 'tox.ini'], /^\[flake8\]/m)) {
    return { kind, command: manager.program('flake8'), because: 'configuration of flake8' }
  }
  if (hasFile(view, '.pylintrc') || mentions(view, ['pyproject.toml'], /^\[tool\.pylint/m)) {
    return { kind, command: manager.program('pylint --recursive=y .'), because: 'configuration of pylint' }
  }
  return undefined
}

function typesCommand(view: ProjectView, manager: PythonManager): DetectedCommand | undefined {
  const kind = 'types'
  if (hasFile(view, 'mypy.ini', '.mypy.ini') || mentions(view, ['pyproject.toml'], /^\[tool\.mypy\]/m)) {
    return { kind, command: manager.program('mypy .'), because: 'configuration of mypy' }
  }
  if (
    hasFile(view, 'pyrightconfig.json') ||
    mentions(view, ['pyproject.toml'], /^\[tool\.(based)?pyright\]/m)
  ) {
    return { kind, command: manager.program('pyright'), because: 'configuration of pyright' }
  }
  return undefined
}
