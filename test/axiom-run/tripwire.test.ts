import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { pathWithout } from '../demo/demo-process.ts'
import { ALONE, developer, lastLine, RunScene, summary, writes } from './scene.ts'

const UNWALLED = [...ALONE, '--allow-unsandboxed', '--agents', '2']

it('without walls, an agent that reaches into the repository ends everybody, and only a person lets them go on', async () => {
  const scene = await RunScene.open({ tasks: ['one', 'two'] })
  scene.configure({ sandbox: {} })
  const hooks = join(scene.root, '.git/hooks')
  mkdirSync(hooks, { recursive: true })
  // Agents may run under another user where there are no walls; this one gets as far as a careless set-up lets him.
  for (const path of [scene.top, scene.root, join(scene.root, '.git'), hooks]) chmodSync(path, 0o777)
  const trap = join(hooks, 'post-commit')
  scene.play([
    developer(
      'one',
      { do: 'run', command: `echo 'touch ${scene.gate('sprung')}' > ${trap}; chmod +x ${trap}` },
      { do: 'barrier', path: scene.gate('never'), atMostMs: 240_000 },
    ),
    developer('two', { do: 'barrier', path: scene.gate('never'), atMostMs: 240_000 }),
  ])
  const { path, remove } = pathWithout('bwrap', 'unshare')
  onTestFinished(remove)
  const env = { ...scene.environment, PATH: path, XDG_STATE_HOME: join(scene.top, 'state') }
  const stopped = await scene.begin(UNWALLED, env).ended
  expect(existsSync(trap)).toBe(true)
  expect(stopped.stdout + stopped.stderr).toContain('REPOSITORY_TOUCHED')
  expect(stopped.stdout + stopped.stderr).toContain('hooks/post-commit')
  expect([stopped.code, lastLine(stopped)]).toEqual([5, summary({ waiting: 2 })])
  expect(readFileSync(join(scene.root, '.axiom/logs/alerts.json'), 'utf8')).toContain('REPOSITORY_TOUCHED')

  scene.play([developer('one', ...writes('one.txt')), developer('two', ...writes('two.txt'))])
  const held = await scene.begin(UNWALLED, env).ended
  expect([held.code, lastLine(held)]).toEqual([5, summary({ waiting: 2 })])
  await scene.ok('resume')
  const again = await scene.begin(UNWALLED, env).ended
  expect([again.code, lastLine(again)]).toEqual([0, summary({ done: 2 })])
  expect(scene.isOpen('sprung')).toBe(false)
})
