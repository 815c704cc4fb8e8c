import { expect, it } from 'vitest'
import { run } from './axiom.ts'

async function help(...argv: string[]): Promise<string> {
  const ran = await run('/', [...argv, '--help'])
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  return ran.stdout
}

function subcommands(text: string): string[] {
  const [, list = ''] = /\nCommands:\n(.*?)(?:\n\n|$)/s.exec(text) ?? []
  return [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name ?? '').filter((name) => name !== 'help')
}

it('Every command, and every command of a command, has a help that ends with examples of its own', async () => {
  const commands = subcommands(await help())
  expect(commands).toEqual(expect.arrayContaining(['init', 'status', 'case', 'store']))
  const paths = await Promise.all(
    commands.map(async (name) => [[name], ...subcommands(await help(name)).map((below) => [name, below])]),
  )
  expect(paths.flat().length).toBeGreaterThan(24)
  for (const path of paths.flat()) {
    const text = await help(...path)
    expect(text).toContain(`Usage: axiom ${path.join(' ')}`)
    const [, examples] = /\nExamples?:\n((?: {2}.+\n)+)$/.exec(text) ?? []
    expect(examples, path.join(' ')).toContain(`axiom ${path.join(' ')}`)
  }
})

it('"help" shows the same as --help', async () => {
  const { stdout } = await run('/', ['help', 'case'])
  expect(stdout).toBe(await help('case'))
})

it.each([
  [['nonsense', '--help']],
  [['nonsense', '-h']],
  [['case', 'nonsense', '--help']],
  [['--help', 'nonsense']],
])('there is no help of what does not exist: %j', async (argv) => {
  const ran = await run('/', argv)
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain("unknown command 'nonsense'")
})

it('The version is the one of the package', async () => {
  expect((await run('/', ['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})
