import { join } from 'node:path'
import type { DetectedUnit } from '../../../../planning/detection/detected.ts'
import { listFiles } from '../../../../planning/detection/list-files.ts'
import { proveProposal } from '../../../../planning/onboarding/prove-proposal.ts'
import type { Proposal } from '../../../../planning/onboarding/read-proposal.ts'
import {
  type Consent,
  type Draft,
  planTrial,
  type Settled,
  settleProposal,
} from '../../../../planning/onboarding/settle-proposal.ts'
import { type Checkout, makeCheckout } from '../../../../planning/proving/checkout.ts'
import type { Proof, ProofLimits } from '../../../../planning/proving/prove-commands.ts'
import type { RunInSandbox } from '../../../../platform/process/run-line.ts'
import { createRunInSandbox } from '../../../../platform/sandbox/run-confined-line.ts'
import { showProof } from '../show-init.ts'
import type { Start } from '../start.ts'
import type { OpenedAva } from './open-ava.ts'

export interface TrialView {
  readonly examined: { readonly units: readonly DetectedUnit[] }
  readonly limits: ProofLimits
  say(...lines: readonly string[]): void
}

/**
 * Runs the proposed commands in a separate checkout that Ava has never touched, and inside the sandbox,
 * because a command that an agent wrote is as trustworthy as the agent.
 */
export async function tryProposal(
  { context, repository, world }: Start,
  ava: OpenedAva,
  draft: Draft,
  proposal: Proposal,
  consent: Consent,
  { examined, limits, say }: TrialView,
): Promise<Settled> {
  const files = await listFiles(world, repository)
  await using checkout = await makeCheckout(world, repository, files)
  say('', 'What is proposed, once each, in another fresh checkout:')
  const trial = {
    world,
    root: repository.root,
    checkout,
    limits: { ...limits, setupSeconds: proposal.setupTimeout ?? limits.setupSeconds },
    runInSandbox: runInSandboxOf(ava, checkout),
    started: (command: string) => context.err(context.colors.dim(`  … ${command}`)),
    ended: (proof: Proof) => say(...showProof(proof, [], context.colors)),
  }
  const plan = { ...planTrial(draft, proposal, consent), units: examined.units }
  return settleProposal(draft, proposal, await proveProposal(plan, trial), consent)
}

function runInSandboxOf({ host, standing }: OpenedAva, { path, temporary }: Checkout): RunInSandbox {
  return createRunInSandbox({
    level: host.level,
    host: host.sandbox,
    confinementFor: () => ({
      workspace: path,
      home: join(temporary, 'home'),
      temporary: join(temporary, 'temporary'),
      masked: host.masked,
      readOnly: [...host.readOnly, ...(standing.readOnly ?? [])],
      readWrite: host.readWrite,
      network: host.network,
      limits: host.limits,
    }),
  })
}
