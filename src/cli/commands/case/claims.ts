import type { Command } from 'commander'
import { STAGES, type Stage } from '../../../cases/case.ts'
import { Failure } from '../../../platform/failure.ts'
import { oneOf, parseDuration, parseWhole } from '../../arguments.ts'
import { type Context, print } from '../../context.ts'
import { withStore } from '../../project.ts'
import { caseJson } from '../../render/case-json.ts'
import { commit } from './changes.ts'
import { findCase, printCase } from './queries.ts'

const TTL_MS = 60_000

interface ClaimOptions {
  agent: string
  ttl: number
  stage: Stage
}

export function defineCaseClaims(command: Command, context: () => Context): void {
  const stage = ['--stage <stage>', `which work: ${STAGES.join(', ')}`] as const
  command
    .command('claim <id>')
    .description('take a task; of any number who try exactly one gets it')
    .requiredOption('--agent <name>', 'who takes it')
    .option('--ttl <duration>', 'how long it is held without a renewal (default: 60s)', parseDuration, TTL_MS)
    .option(...stage, oneOf(STAGES), 'develop')
    .action((id: string, options: ClaimOptions) => claim(context(), id, options))
  command
    .command('renew <id>')
    .description('hold a claim longer')
    .requiredOption('--fence <n>', 'the number that the claim printed', parseWhole)
    .option('--ttl <duration>', 'from now (default: 60s)', parseDuration, TTL_MS)
    .option(...stage, oneOf(STAGES), 'develop')
    .action((id: string, options: { fence: number; ttl: number; stage: Stage }) =>
      renew(context(), id, options),
    )
  command
    .command('release <id>')
    .description('give a claim back')
    .option('--fence <n>', 'only this claim', parseWhole)
    .option(...stage, oneOf(STAGES), 'develop')
    .action((id: string, options: { fence?: number; stage: Stage }) => release(context(), id, options))
}

function claim(context: Context, id: string, { agent, ttl, stage }: ClaimOptions): Promise<void> {
  return withStore(context, 'case claim', async (store) => {
    await commit(store, [{ kind: 'claim', id, stage, holder: agent, ttlMs: ttl }], agent)
    const record = await findCase(store, id)
    const lease = record.leases?.[stage]
    const value = {
      case: caseJson(record),
      stage,
      holder: lease?.holder,
      expiresAt: lease?.expiresAt,
      fence: lease?.fence,
    }
    print(context, value, () => `${id} is held by ${agent} until ${lease?.expiresAt} (fence ${lease?.fence})`)
  })
}

function renew(
  context: Context,
  id: string,
  { fence, ttl, stage }: { fence: number; ttl: number; stage: Stage },
): Promise<void> {
  return withStore(context, 'case renew', async (store) => {
    const record = await findCase(store, id)
    const lost = await store.renew([{ id, stage, fence }], ttl)
    if (lost.length > 0) {
      const current = record.leases?.[stage]
      throw new Failure(
        current ? 'StaleClaim' : 'NotClaimed',
        current
          ? `${id} is held by ${current.holder} under fence ${current.fence}, not ${fence}`
          : `nobody holds ${id} (${stage})`,
        { hint: `claim it: "axiom case claim ${id} --agent A"` },
      )
    }
    const expiresAt = new Date(Date.parse(await store.now()) + ttl).toISOString()
    print(
      context,
      { case: caseJson(record), stage, fence, expiresAt },
      () => `${id} is held until ${expiresAt} (fence ${fence})`,
    )
  })
}

function release(
  context: Context,
  id: string,
  { fence, stage }: { fence?: number; stage: Stage },
): Promise<void> {
  return withStore(context, 'case release', async (store) => {
    await commit(store, [{ kind: 'release', id, stage, ...(fence === undefined ? {} : { fence }) }])
    await printCase(context, store, id)
  })
}
