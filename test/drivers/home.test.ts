import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { collect, endOf, messagesOf } from '../../src/agents/driver.contract.ts'
import { commandDriver } from '../../src/agents/drivers/command.ts'
import { makeAgentHost } from '../clients/agent-host.ts'
import { makeScratch } from '../clients/scratch.ts'

it('keeps HOME the agent’s own, also where the program itself lies below it', async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'axiom-home-')))
  const scratch = makeScratch()
  try {
    const program = join(home, '.cache/tools/agent.sh')
    mkdirSync(join(home, '.cache/tools'), { recursive: true })
    writeFileSync(program, '#!/bin/sh\nmkdir -p "$HOME/.cache/own" && echo "it is mine"\n')
    chmodSync(program, 0o755)
    const usual = await makeAgentHost()
    const host = { ...usual, sandbox: { ...usual.sandbox, home } }
    const driver = commandDriver(host, { command: [program], folder: home })
    const events = await collect(await driver.start(scratch.request()))
    expect(messagesOf(events)).toEqual(['it is mine\n'])
    expect(endOf(events).reason).toBe('completed')
  } finally {
    scratch.remove()
    rmSync(home, { recursive: true, force: true })
  }
})
