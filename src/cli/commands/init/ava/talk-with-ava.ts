import { join } from 'node:path'
import type { AgentProcess, AgentRequest, Session, Usage } from '../../../../agents/driver.ts'
import { NO_USAGE } from '../../../../agents/driver.ts'
import type { Answer } from '../../../../personas/prompt-input.ts'
import { type Proposal, readProposal } from '../../../../planning/onboarding/read-proposal.ts'
import type { Checkout } from '../../../../planning/proving/checkout.ts'
import type { Signal } from '../../../../signals/finding.ts'
import { spokenName } from '../../../../signals/signal-names.ts'
import { AVA_TASK, type AvaNews, type AvaSubject, avaId, avaPrompt } from './ava-prompt.ts'
import { type Heard, hearAva, sum } from './hear-ava.ts'
import type { OpenedAva } from './open-ava.ts'

/** Questions and answers included. */
export const ITERATIONS_MAX = 12
/** How often Ava may correct a proposal that could not be read. */
export const REPAIRS_MAX = 1

export interface Talk {
  readonly iterations: number
  readonly costUsd: number
  readonly usage: Usage
  readonly outcome: TalkOutcome
}

export type TalkOutcome =
  | { readonly kind: 'proposal'; readonly proposal: Proposal }
  /** The question had no answer. */
  | { readonly kind: 'question'; readonly question: string }
  | { readonly kind: 'nothing'; readonly reason: string; readonly faults: readonly string[] }

export interface TalkOptions {
  readonly ava: OpenedAva
  readonly subject: AvaSubject
  readonly checkout: Checkout
  readonly secondsMax: number
  told(message: string): void
  /** Undefined when no answer can be given. */
  ask(question: string): Promise<string | undefined>
}

/**
 * Runs iterations until Ava proposes, asks a question without getting an answer, fails, or reaches the limit.
 */
export async function talkWithAva(options: TalkOptions): Promise<Talk> {
  const { subject, secondsMax, told } = options
  const { vocabulary } = subject
  const answers: Answer[] = []
  let [iterations, repairs, costUsd, usage] = [0, 0, 0, NO_USAGE]
  let faults: readonly string[] = []
  let session: Session | undefined
  const ended = (outcome: TalkOutcome): Talk => ({ iterations, costUsd, usage, outcome })
  while (iterations < ITERATIONS_MAX) {
    iterations += 1
    const agent = await startIteration(options, { iteration: iterations, answers, faults }, session)
    await using running = agent
    const heard = await hearAva(running, { vocabulary, secondsMax, told })
    costUsd += heard.costUsd
    usage = sum(usage, heard.usage)
    session = heard.end.session
    const next = judge(heard, options)
    switch (next.kind) {
      case 'question': {
        const answer = await options.ask(next.question)
        if (answer === undefined) return ended(next)
        answers.push({ question: next.question, answer, by: 'the person' })
        faults = []
        break
      }
      case 'faulty':
        if (repairs === REPAIRS_MAX) return ended({ ...next, kind: 'nothing', reason: UNUSABLE })
        repairs += 1
        faults = next.faults
        break
      default:
        return ended(next)
    }
  }
  return ended({ kind: 'nothing', reason: `she was not done after ${ITERATIONS_MAX} iterations`, faults: [] })
}

const UNUSABLE = 'her proposal could not be used, and a second one neither'

/** A driver that can resume a session gets only what is new; the others get the whole conversation again. */
function startIteration(
  { ava, subject, checkout }: TalkOptions,
  news: AvaNews,
  session: Session | undefined,
): Promise<AgentProcess> {
  const { driver, standing } = ava
  const canResume = session !== undefined && driver.abilities.resume
  const latestAnswers = news.faults.length > 0 ? [] : news.answers.slice(-1)
  const fresh = canResume ? { ...news, answers: latestAnswers } : news
  const prompt = avaPrompt(subject, fresh)
  const latest = prompt.parts.find(({ name }) => name === 'iteration')?.text
  const request: AgentRequest = {
    assignment: {
      role: 'onboarding',
      agent: avaId(subject.vocabulary),
      taskId: AVA_TASK,
      taskKey: AVA_TASK,
      iteration: news.iteration,
    },
    prompt: canResume ? (latest ?? prompt.message) : prompt.message,
    systemPrompt: prompt.system,
    workspace: checkout.path,
    folder: join(checkout.temporary, 'agent'),
    logFile: join(checkout.temporary, 'ava.log'),
    ...standing,
  }
  return canResume ? driver.resume(session, request) : driver.start(request)
}

type Next = TalkOutcome | { readonly kind: 'faulty'; readonly faults: readonly string[] }

function judge({ stopped, end, verdict, messages }: Heard, { subject }: TalkOptions): Next {
  const nothing = (reason: string): Next => ({ kind: 'nothing', reason, faults: [] })
  if (stopped !== undefined) return nothing(stopped)
  if (end.reason !== 'completed') {
    const error = end.error === undefined ? '' : ` (${end.error.code}: ${end.error.message})`
    return nothing(`the agent ended as ${end.reason}${error}`)
  }
  if (verdict?.handler === 'AWAIT_DIVINE_RESPONSE') return { kind: 'question', question: questionOf(verdict) }
  if (verdict?.name === 'BLOCKED') return nothing(`she is blocked: ${verdict.payload ?? 'no reason given'}`)
  const reading = readProposal(messages)
  if (verdict?.name === 'AVA_COMPLETE' && reading.kind === 'proposal') return reading
  const name = spokenName(subject.vocabulary.signals, 'AVA_COMPLETE')
  const unfinished = verdict?.name === 'AVA_COMPLETE' ? [] : [`the last message does not end with ${name}`]
  return { kind: 'faulty', faults: [...unfinished, ...(reading.kind === 'faulty' ? reading.faults : [])] }
}

function questionOf({ payload, body }: Signal): string {
  const asked = typeof body === 'object' && body !== null && 'question' in body ? body.question : undefined
  return payload ?? (typeof asked === 'string' ? asked : 'she gave no words to her question')
}
