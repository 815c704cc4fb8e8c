// One cell of the table of walls: prepares a project of one shape, lets the agents of the built product work in it as
// a run does, and prints what became of them. It runs as the user whose cell it is.
// Arguments: dist, level, shape, an empty folder of this user, a folder outside all masks that everybody may write.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const [dist, level, shape, top, open] = process.argv.slice(2)
const { createAgentHost } = await import(join(dist, 'agents/agent-host.js'))
const { simDriver } = await import(join(dist, 'agents/drivers/sim.js'))
const { commandDriver } = await import(join(dist, 'agents/drivers/command.js'))
const { systemClock } = await import(join(dist, 'platform/clock.js'))

const home = join(top, 'home')
const environment = {
  PATH: `${join(home, '.local/bin')}:${join(home, 'tools/bin')}:${process.env.PATH}`,
  HOME: home,
}
const git = (cwd, ...words) =>
  execFileSync('git', ['-c', 'safe.directory=*', ...words], {
    cwd,
    encoding: 'utf8',
    env: { ...environment, GIT_CONFIG_GLOBAL: '/dev/null' },
  }).trim()

function put(path, text, mode = 0o755) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { mode })
}

function link(target, path) {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}

function projectRoot() {
  if (shape === 'space') return join(top, 'a space, a \\ and a\ttab')
  if (shape !== 'link') return join(top, 'project')
  mkdirSync(join(top, 'real'))
  // A chain: one link to another, the second one relative.
  link('real', join(top, 'second'))
  link(join(top, 'second'), join(top, 'link'))
  return join(top, 'link/project')
}

mkdirSync(home)
const root = projectRoot()
const slash = shape === 'slash' ? '/' : ''
const integration = join(root, '.axiom/integration.git')
const neighbour = join(top, 'neighbour')
mkdirSync(join(root, '.axiom'), { recursive: true })
mkdirSync(neighbour)
// Open to every user: what holds must be the wall, not the owner.
for (const folder of [neighbour, root, join(root, '.axiom'), home]) chmodSync(folder, 0o777)
const first = ['-c', 'user.name=T', '-c', 'user.email=t@example.com']
git(root, 'init', '--quiet', '--initial-branch=main')
git(root, ...first, 'commit', '--quiet', '--allow-empty', '--message', 'first')
git(root, 'clone', '--quiet', '--bare', root, integration)

const TAKEN = `taken-${process.pid}`
const targets = [
  '/',
  '/etc',
  '/usr/local',
  '/var/lib',
  '/dev/shm',
  open,
  neighbour,
  root,
  join(root, '.axiom'),
  home,
]
const script = [
  'set -e',
  'echo work > work.txt',
  'git add work.txt',
  'git commit --quiet --message work',
  ...targets.map((folder) => `mkdir ${quote(join(folder, TAKEN))} 2>&1 || :`),
].join('\n')

function quote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

const host = createAgentHost(
  {
    sandbox: { environment, home },
    report: { level },
    masked: [root, join(root, '.axiom'), join(root, '.workspaces')],
    clock: systemClock,
  },
  {},
)

async function letWork(name, driver, changes = {}) {
  const workspace = join(root, '.workspaces', name)
  mkdirSync(dirname(workspace), { recursive: true })
  git(root, 'clone', '--quiet', '--shared', integration, workspace)
  const agent = join(root, '.axiom/agents', name)
  let end
  try {
    const running = await driver.start({
      assignment: { role: 'developer', agent: 'echo-001', taskId: 'task-001', taskKey: 't1', iteration: 1 },
      prompt: script,
      systemPrompt: '',
      workspace: `${workspace}${slash}`,
      folder: agent,
      logFile: join(root, '.axiom/logs', `${name}.log`),
      ...changes,
      readOnly: [`${integration}/objects${slash}`, ...(changes.readOnly ?? [])],
    })
    for await (const _ of running.events);
    end = await running.ended
  } catch (error) {
    end = { reason: String(error) }
  }
  const worked = end.reason === 'completed' ? end.reason : `${end.reason}: ${end.error?.message ?? ''}`
  const committed =
    git(workspace, 'log', '--format=%s', '-1') === 'work' && existsSync(join(workspace, 'work.txt'))
  const taken = targets.filter((folder) => existsSync(join(folder, TAKEN)))
  return { name, worked, committed, taken }
}

function simulated(built) {
  const playbook = join(root, '.axiom/playbook.json')
  const steps = [{ do: 'run', command: script, mustPass: true }]
  put(playbook, JSON.stringify({ entries: [{ steps }] }), 0o644)
  return [simDriver(host, { built }), { environment: { AXIOM_SIM_PLAYBOOK: playbook }, readOnly: [playbook] }]
}

function command(...words) {
  return [commandDriver(host, { command: words, folder: root })]
}

/** The ways in which installers usually put a program somewhere. */
function installedAsLinks() {
  // A native installer: an absolute link into a folder of versions, here with one more link on the way.
  put(join(home, '.local/share/native/versions/1.2.3'), '#!/bin/sh\nexec sh\n')
  link('1.2.3', join(home, '.local/share/native/versions/current'))
  link(join(home, '.local/share/native/versions/current'), join(home, '.local/bin/native'))
  // npm with a version manager: a relative link to a script that needs the files around it.
  const packaged = join(home, 'tools/lib/node_modules/packaged')
  put(join(packaged, 'package.json'), '{"type":"module"}')
  put(join(packaged, 'shell.js'), "export const shell = 'sh'\n")
  put(
    join(packaged, 'cli.js'),
    "#!/usr/bin/env node\nimport { spawnSync } from 'node:child_process'\nimport { shell } from './shell.js'\n" +
      "process.exit(spawnSync(shell, { stdio: 'inherit' }).status)\n",
  )
  link('../lib/node_modules/packaged/cli.js', join(home, 'tools/bin/packaged'))
  // Node itself, as a version manager installs it.
  link(process.execPath, join(home, 'versions/20/bin/node'))
  link('20', join(home, 'versions/current'))
  link('../../versions/current/bin/node', join(home, '.local/bin/linked-node'))
  // The product itself, as npm links it.
  link(dirname(dist), join(home, 'lib/node_modules/axiom'))
  const run = "process.exit(require('child_process').spawnSync('sh', { stdio: 'inherit' }).status)"
  return {
    native: command('native'),
    'native by path': command(join(home, '.local/bin/native')),
    packaged: command('packaged'),
    node: command('linked-node', '-e', run),
    simulated: simulated(join(home, 'lib/node_modules/axiom/dist/')),
  }
}

const agents = shape === 'installed' ? installedAsLinks() : { simulated: simulated(`${dist}${slash}`) }
const rows = []
for (const [name, [driver, changes]] of Object.entries(agents))
  rows.push(await letWork(name, driver, changes))
process.stdout.write(JSON.stringify(rows))
