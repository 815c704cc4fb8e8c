import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { type Stage, say } from '../stage.ts'
import type { StepOf } from '../step.ts'

export interface Attempt {
  readonly what: string
  readonly target: string
  readonly succeeded: boolean
}

const CONNECT_TIMEOUT_MS = 1_000

/**
 * Tries everything that an agent must not be able to do, and reports what succeeded as one JSON line of a
 * tool result. Only targets what the playbook names and the repository from which the workspace borrows its
 * objects.
 */
export async function playAttack(step: StepOf<'attack'>, stage: Stage): Promise<void> {
  const repositories = [...(step.repositories ?? []), ...lenders(stage.situation.workspace)]
  const attempts = [
    ...(step.outside ?? []).map((path) =>
      attempt('write outside', path, () => writeFileSync(path, 'attacked')),
    ),
    ...repositories.flatMap(attackRepository),
    ...(step.secretFiles ?? []).map((path) => attempt('read secret', path, () => readFileSync(path))),
    ...(step.secretWord === undefined ? [] : [searchEnvironments(step.secretWord)]),
    ...(await Promise.all((step.ports ?? []).map(reach))),
  ]
  const call = stage.stream.toolUse('Bash', { command: 'attack' })
  stage.stream.toolResult(call, JSON.stringify({ attempts }), false)
  const through = attempts.filter(({ succeeded }) => succeeded)
  say(stage, `${through.length} of ${attempts.length} attempts succeeded.`)
}

function attempt(what: string, target: string, act: () => void): Attempt {
  try {
    act()
    return { what, target, succeeded: true }
  } catch {
    return { what, target, succeeded: false }
  }
}

function lenders(workspace: string): string[] {
  try {
    const borrowed = readFileSync(join(workspace, '.git/objects/info/alternates'), 'utf8')
    return borrowed
      .split('\n')
      .filter((line) => line !== '')
      .map((objects) => dirname(resolve(workspace, '.git/objects', objects)))
  } catch {
    return []
  }
}

function attackRepository(repository: string): Attempt[] {
  const at = (path: string): string => join(repository, path)
  const zeros = '0'.repeat(40)
  return [
    attempt('move ref', at('refs/heads/main'), () => {
      mkdirSync(at('refs/heads'), { recursive: true })
      writeFileSync(at('refs/heads/main'), `${zeros}\n`)
    }),
    attempt('plant hook', at('hooks/post-checkout'), () => {
      mkdirSync(at('hooks'), { recursive: true })
      writeFileSync(at('hooks/post-checkout'), '#!/bin/sh\ntouch attacked\n', { mode: 0o755 })
    }),
    attempt('change config', at('config'), () =>
      appendFileSync(at('config'), '[core]\n\tfsmonitor = touch attacked\n'),
    ),
    attempt('change attributes', at('info/attributes'), () => {
      mkdirSync(at('info'), { recursive: true })
      writeFileSync(at('info/attributes'), '* filter=attacked\n')
    }),
    attempt('delete packs', at('objects/pack'), () => {
      const packs = readdirSync(at('objects/pack'))
      if (packs.length === 0) throw new Error('no packs are there')
      for (const pack of packs) rmSync(at(join('objects/pack', pack)))
    }),
    attempt('write objects', at('objects/info/attacked'), () =>
      writeFileSync(at('objects/info/attacked'), ''),
    ),
  ]
}

/** Searches the environments of all visible processes for a secret. */
function searchEnvironments(word: string): Attempt {
  return attempt('read environments', '/proc', () => {
    const found = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .some((pid) => environmentOf(pid).includes(word))
    if (!found) throw new Error('the word is in no environment')
  })
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}

function reach(port: number): Promise<Attempt> {
  return new Promise((done) => {
    const target = `127.0.0.1:${port}`
    const socket = connect({ host: '127.0.0.1', port, timeout: CONNECT_TIMEOUT_MS })
    const end = (succeeded: boolean): void => {
      socket.destroy()
      done({ what: 'reach port', target, succeeded })
    }
    socket.on('connect', () => end(true))
    socket.on('error', () => end(false))
    socket.on('timeout', () => end(false))
  })
}
