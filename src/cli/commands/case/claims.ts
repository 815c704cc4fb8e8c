import { type Command, InvalidArgumentError, Option } from 'commander'
import { STAGES, type Stage } from '../../../cases/case.ts'
import { Failure } from '../../../platform/failure.ts'
import { oneOf, parseDuration, parseWhole, words } from '../../arguments.ts'
import { type Context, print } from '../../context.ts'
import { withExamples } from '../../examples.ts'
import { withStore } from '../../project.ts'
import { caseJson } from '../../render/case-json.ts'
import { plainLine } from '../../render/plain-text.ts'
import { commit } from './commit.ts'
import { findCase, printCase } from './queries.ts'

const TTL_MS = 60_000
const TTL_MS_MAX = 24 * 60 * 60 * 1_000

interface ClaimOptions {
  agent: string
  ttl: number
  stage: Stage
}

interface RenewOptions {
  fence: number
  ttl: number
  stage: Stage
}

interface ReleaseOptions {
  fence?: number
  stage: Stage
}

export function defineCaseClaims(command: Command, context: () => Context): void {
  const claiming = command
    .command('claim <id>')
    .description('take a task; of any number who try exactly one gets it')
    .requiredOption('--agent <name>', 'who takes it', words)
    .addOption(leaseTime('how long it is held without a renewal'))
    .addOption(stageOption())
    .action((id: string, options: ClaimOptions) => claim(context(), id, options))
  withExamples(
    claiming,
    'axiom case claim task-001 --agent echo-001',
    'axiom case claim task-001 --agent critic-001 --stage critique --ttl 5m',
  )
  const renewal = command
    .command('renew <id>')
    .description('hold a claim longer')
    .requiredOption('--fence <n>', 'the number that the claim printed', parseWhole)
    .addOption(leaseTime('how long from now'))
    .addOption(stageOption())
    .action((id: string, options: RenewOptions) => renew(context(), id, options))
  withExamples(renewal, 'axiom case renew task-001 --fence 3 --ttl 60s')
  const releasing = command
    .command('release <id>')
    .description('give a claim back')
    .option('--fence <n>', 'only this claim', parseWhole)
    .addOption(stageOption())
    .action((id: string, options: ReleaseOptions) => release(context(), id, options))
  withExamples(releasing, 'axiom case release task-001 --fence 3')
}

function leaseTime(description: string): Option {
  return new Option('--ttl <duration>', description).argParser(parseLeaseTime).default(TTL_MS, '60s')
}

/** The case rules check a claim but not a renewal, so the bounds of a claim are applied here to both. */
function parseLeaseTime(text: string): number {
  const ms = parseDuration(text)
  if (ms < 1 || ms > TTL_MS_MAX) throw new InvalidArgumentError('a lease lasts between 1ms and 24h')
  return ms
}

function stageOption(): Option {
  return new Option('--stage <stage>', `which work: ${STAGES.join(', ')}`)
    .argParser(oneOf(STAGES))
    .default('develop')
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
    print(
      context,
      value,
      () => `${id} is held by ${plainLine(agent)} until ${lease?.expiresAt} (fence ${lease?.fence})`,
    )
  })
}

function renew(context: Context, id: string, { fence, ttl, stage }: RenewOptions): Promise<void> {
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

function release(context: Context, id: string, { fence, stage }: ReleaseOptions): Promise<void> {
  return withStore(context, 'case release', async (store) => {
    await commit(store, [{ kind: 'release', id, stage, ...(fence === undefined ? {} : { fence }) }])
    await printCase(context, store, id)
  })
}
