import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sh } from './scratch.ts'

/** Programs that leave a mark when anything starts them; each then behaves well enough for git to go on. */
export interface Trap {
  /** The path of a program that marks itself as `name`. */
  program(name: string): string
  sprung(): string[]
}

export function openTrap(root: string): Trap {
  const programs = join(root, 'trap')
  const marks = join(root, 'marks')
  for (const folder of [programs, marks]) mkdirSync(folder, { recursive: true })
  return {
    program(name) {
      const path = join(programs, name)
      writeFileSync(path, `#!/bin/sh\ntouch '${marks}/${name}'\ncat\n`)
      chmodSync(path, 0o755)
      return path
    },
    sprung: () => readdirSync(marks).toSorted(),
  }
}

const HOOKS = [
  'applypatch-msg commit-msg fsmonitor-watchman post-applypatch post-checkout post-commit post-index-change',
  'post-merge post-receive post-rewrite post-update pre-applypatch pre-auto-gc pre-commit pre-merge-commit',
  'pre-push pre-rebase pre-receive prepare-commit-msg proc-receive push-to-checkout reference-transaction update',
].flatMap((line) => line.split(' '))

/** Plants every way known to make git run a program into the repository at `path`, and a like one inside it. */
export function makeHostile(path: string, trap: Trap): void {
  plantAttributes(path)
  plantConfiguration(path, trap, 'outer')
  plantHooks(path, trap, 'outer')
  const inner = join(path, 'inner')
  mkdirSync(inner)
  sh(inner, 'git init -q && echo x > x && git add -A && git commit -qm inner && echo y > x')
  plantAttributes(inner)
  plantConfiguration(inner, trap, 'inner')
  plantHooks(inner, trap, 'inner')
}

function plantAttributes(path: string): void {
  const line = '* filter=trap diff=trap merge=trap ident\n'
  writeFileSync(join(path, '.gitattributes'), line)
  mkdirSync(join(path, '.git/info'), { recursive: true })
  writeFileSync(join(path, '.git/info/attributes'), line)
}

function plantConfiguration(path: string, trap: Trap, prefix: string): void {
  const settings = {
    'core.fsmonitor': 'fsmonitor',
    'core.pager': 'pager',
    'core.editor': 'editor',
    'core.sshCommand': 'ssh',
    'core.gitProxy': 'proxy',
    'core.askPass': 'askpass',
    'core.alternateRefsCommand': 'alternate-refs',
    'credential.helper': 'credential',
    'diff.external': 'diff-external',
    'diff.trap.command': 'diff',
    'diff.trap.textconv': 'textconv',
    'filter.trap.clean': 'clean',
    'filter.trap.smudge': 'smudge',
    'merge.trap.driver': 'merge',
    'gpg.program': 'gpg',
    'sequence.editor': 'sequence-editor',
    'uploadpack.packObjectsHook': 'pack-objects',
    'alias.status': 'alias',
    'remote.origin.uploadpack': 'remote-upload-pack',
    'trailer.x.command': 'trailer',
  }
  for (const [key, name] of Object.entries(settings)) {
    sh(path, `git config ${key} '${trap.program(`${prefix}-${name}`)}'`)
  }
  sh(
    path,
    `git config filter.trap.required true && git config commit.gpgSign true && git config core.hooksPath .git/hooks`,
  )
  sh(path, `printf '[submodule "inner"]\n\tpath = inner\n\turl = ./inner\n\tupdate = !touch\n' > .gitmodules`)
}

function plantHooks(path: string, trap: Trap, prefix: string): void {
  const folder = join(path, '.git/hooks')
  mkdirSync(folder, { recursive: true })
  for (const hook of HOOKS) {
    writeFileSync(join(folder, hook), `#!/bin/sh\nexec '${trap.program(`${prefix}-hook-${hook}`)}'\n`)
    chmodSync(join(folder, hook), 0o755)
  }
}
