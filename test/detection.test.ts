import { describe, expect, it } from 'vitest'
import { detectSurroundings } from '../src/planning/detection/detect-surroundings.ts'
import { detectUnits } from '../src/planning/detection/detect-units.ts'
import type { ProjectView } from '../src/planning/detection/project-view.ts'
import { FIXTURES, type Fixture } from './fixtures/repositories.ts'
import { expectGolden } from './golden.ts'

function viewFixture(fixture: Fixture): ProjectView {
  return { files: Object.keys(fixture).toSorted(), read: (path) => fixture[path] ?? '' }
}

function describeFixture(name: string, fixture: Fixture): string {
  const view = viewFixture(fixture)
  const units = detectUnits(view).flatMap((unit) => [
    `  ${unit.folder || '.'}: ${unit.language}, ${unit.packageManager}${unit.frameworks.length > 0 ? `, ${unit.frameworks.join(', ')}` : ''}`,
    ...(unit.members.length > 0 ? [`    members ${unit.members.join(', ')}`] : []),
    ...(unit.setup === undefined ? [] : [`    setup   ${unit.setup}`]),
    ...unit.commands.map(({ kind, command, because }) => `    ${kind.padEnd(7)} ${command}   (${because})`),
    ...unit.notes.map((note) => `    note    ${note}`),
  ])
  const { hooks, ports, databases, missingEnvironment } = detectSurroundings(view, [])
  const around = [
    ...hooks.map(({ tool, command, note }) => `  hook ${tool}: ${command ?? note}`),
    ...Object.entries(ports).map(([variable, port]) => `  port ${variable} ${port}`),
    ...Object.entries(databases).map(([key, kind]) => `  database ${key} ${kind}`),
    ...(missingEnvironment === undefined ? [] : [`  settings template ${missingEnvironment}`]),
  ]
  return [name, ...(units.length > 0 ? units : ['  nothing']), ...around].join('\n')
}

describe('detection', () => {
  it('finds units, set-up and commands of every stack', () => {
    const text = Object.entries(FIXTURES).map(([name, fixture]) => describeFixture(name, fixture))
    expect(text.length).toBeGreaterThanOrEqual(20)
    expectGolden('detection/found.txt', `${text.join('\n\n')}\n`)
  })

  it('names settings files that git does not have, and asks for none that is there', () => {
    const view = viewFixture({ '.env.example': 'PORT=1234\n' })
    expect(detectSurroundings(view, ['.env', '.env.test'])).toMatchObject({
      environmentFiles: ['.env', '.env.test'],
    })
    expect(detectSurroundings(view, ['.env']).missingEnvironment).toBeUndefined()
    expect(detectSurroundings(view, []).missingEnvironment).toBe('.env.example')
  })

  it('does not offer a hook that would check nothing', () => {
    const { hooks } = detectSurroundings(viewFixture({ '.husky/pre-commit': 'npx lint-staged\n' }), [])
    expect(hooks).toEqual([
      { tool: 'husky', file: '.husky/pre-commit', note: expect.stringContaining('staged files only') },
    ])
  })

  it('survives manifests that are broken', () => {
    const [unit] = detectUnits(
      viewFixture({ 'package.json': '{"scripts": ', 'a.test.mjs': "import 'node:test'" }),
    )
    expect(unit).toMatchObject({ language: 'JavaScript', notes: ['package.json is no valid JSON'] })
    expect(unit?.commands).toMatchObject([{ kind: 'test', command: 'node --test' }])
    expect(
      detectUnits(viewFixture({ 'composer.json': '[1]', 'pyproject.toml': '\0', Gemfile: '' })),
    ).toHaveLength(3)
  })

  it('prefers the test that ends over the one that watches', () => {
    const scripts = { test: 'vitest --watch', 'test:unit': 'vitest run' }
    const [unit] = detectUnits(viewFixture({ 'package.json': JSON.stringify({ scripts }) }))
    expect(unit?.commands[0]?.command).toBe('npm run test:unit')
  })

  it('takes no command that changes what it checks', () => {
    const manifest = { scripts: { lint: 'eslint . --fix' }, devDependencies: { eslint: '9.0.0' } }
    const [unit] = detectUnits(
      viewFixture({ 'package.json': JSON.stringify(manifest), 'eslint.config.js': '' }),
    )
    expect(unit?.commands).toMatchObject([{ kind: 'lint', command: 'npx --no-install eslint .' }])
  })
})
