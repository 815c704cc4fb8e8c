import type { Check, FileChange } from '../signals/body-values.ts'
import type { Role } from '../signals/definition.ts'
import type { Signal } from '../signals/finding.ts'
import { criteriaOf, type DeliveryContext } from './delivery-context.ts'
import type { DeliveryState, DeliveryStateName } from './delivery-state.ts'
import { type Move, WORK } from './delivery-table.ts'
import { TRAITS } from './delivery-traits.ts'
import { isTestable } from './escalation.ts'
import { expandedCriteria } from './holds-condition.ts'
import type { Occurrence } from './occurrence.ts'
import { criteriaWithoutEvidence, type NoteKind, type ReviewFinding } from './review-contract.ts'

/** A longer text is in the log of the agent that said it. */
const NOTE_CHARACTERS_MAX = 4_000
/** Commands of one audit that AXIOM runs again. */
export const COMMANDS_PER_AUDIT_MAX = 20
const EVIDENCE_MAX = 50

interface Scene {
  readonly before: DeliveryState
  readonly placed: Pick<DeliveryState, 'state' | 'resume'>
  readonly move: Move
  readonly occurrence: Occurrence
  readonly context: DeliveryContext
}

/** The notes of a signal for the next agent: kept with the findings, so that they survive a restart. */
export function notesOf(scene: Scene): ReviewFinding[] {
  return [...handover(scene), ...consultation(scene), ...verdict(scene), ...repair(scene), ...remarks(scene)]
}

/** The part of a text that a note keeps. */
export function noteText(text: string): string {
  return text.slice(0, NOTE_CHARACTERS_MAX)
}

function note({ before, occurrence }: Scene, kind: NoteKind, to: Role, text: string): ReviewFinding {
  return {
    kind,
    to,
    text: noteText(text),
    file: null,
    line: null,
    criterion: null,
    by: occurrence.agent,
    commit: before.commit,
  }
}

function roleAt(state: DeliveryStateName | undefined): Role {
  return (state && WORK[state]?.role) ?? 'developer'
}

/** The developer's remarks on the submitted commit. */
function handover(scene: Scene): ReviewFinding[] {
  const { said, commit } = scene.occurrence
  if (said?.name !== 'READY_FOR_REVIEW') return []
  const { summary = '', filesModified = [], testsWritten = [], verification = [] } = said.body ?? {}
  const text = sections([
    ['Summary', summary],
    ['Files modified', filesModified.map(fileLine).join('\n')],
    ['Tests written', testsWritten.map(fileLine).join('\n')],
    ['Verified by the developer', verification.map(checkLine).join('\n')],
  ])
  return text === '' ? [] : [{ ...note(scene, 'handover', 'critic', text), commit }]
}

function fileLine({ path, description }: FileChange): string {
  return description === null ? path : `${path}: ${description}`
}

function checkLine({ check, result, environment }: Check): string {
  return `${check}: ${result ?? 'no result'}${environment === null ? '' : ` (${environment})`}`
}

function consultation(scene: Scene): ReviewFinding[] {
  const { before, placed, move, occurrence } = scene
  const { said, signal } = occurrence
  if (placed.state === 'consulting' && before.state !== 'consulting')
    return [note(scene, 'request', 'expert', requestText(scene))]
  if (signal === 'EXPERT_ADVICE' || signal === 'EXPERT_UNSUCCESSFUL')
    return [note(scene, 'advice', roleAt(before.resume.at(-1)), adviceText(said))]
  if (move.flags.includes('reports-no-expert'))
    return [note(scene, 'remark', roleAt(before.state), NO_EXPERT)]
  return []
}

const NO_EXPERT =
  'No expert of this plan fits the request. Go on by yourself; if that leads nowhere, ask the person.'

function requestText({ occurrence }: Scene): string {
  const body = occurrence.said?.name === 'EXPERT_REQUEST' ? occurrence.said.body : null
  if (body?.prompt) return body.requestType ? `${body.requestType}: ${body.prompt}` : body.prompt
  return 'The work was sent back again and again. What does its developer not see, and what is the next step?'
}

function adviceText(said: Signal | null): string {
  if (said?.name === 'EXPERT_ADVICE') {
    const { recommendation = '', rationale = [], pitfalls = [], nextSteps = '' } = said.body ?? {}
    return sections([
      ['Recommendation', recommendation],
      ['Why', rationale.join('\n')],
      ['What it avoids', pitfalls.join('\n')],
      ['Next steps', nextSteps],
    ])
  }
  if (said?.name !== 'EXPERT_UNSUCCESSFUL') return ''
  const { reason = '', recommendation = '', attempts = [] } = said.body ?? {}
  return sections([
    ['No advice', reason],
    ['What was tried', attempts.map(({ subject, detail }) => `${subject}: ${detail ?? ''}`).join('\n')],
    ['Instead', recommendation],
  ])
}

function verdict(scene: Scene): ReviewFinding[] {
  const { occurrence, context, move } = scene
  const { said, signal, text } = occurrence
  if (signal === 'REFUTED') return [note(scene, 'refuted', 'auditor', text ?? 'a command of the audit fails')]
  if (said?.name === 'REVIEW_PASSED')
    return [note(scene, 'evidence', 'auditor', said.body?.summary || 'The review passed.')]
  if (move.when.startsWith('unproven')) return [note(scene, 'remark', 'auditor', unprovenText(scene))]
  if (said?.name !== 'AUDIT_PASSED') return []
  const { criteria = [], commands = [] } = said.body ?? {}
  const shown = criteria.slice(0, EVIDENCE_MAX).map(
    ({ criterion, verdict: word, evidence }): ReviewFinding => ({
      ...note(scene, 'evidence', 'director', `${criterion}: ${word ?? ''} - ${evidence ?? ''}`),
      criterion: criteriaOf(context).find((known) => known === criterion) ?? criterion,
    }),
  )
  const run = commands
    .filter(({ result }) => result === null || result.startsWith('PASS') || result === 'VERIFIED')
    .slice(0, COMMANDS_PER_AUDIT_MAX)
    .map(({ check }) => note(scene, 'command', 'director', check))
  return [...shown, ...run]
}

function unprovenText({ occurrence, context }: Scene): string {
  const { said } = occurrence
  if (said?.name !== 'AUDIT_PASSED')
    return 'The last audit failed the work without a finding that names a criterion or a changed line. Judge each criterion anew.'
  const open = criteriaWithoutEvidence(criteriaOf(context), said.body?.criteria ?? [])
  return `The last audit passed the work, but showed no evidence for:\n${open.join('\n')}\nGive each criterion its own verdict and its evidence.`
}

/** The history of a repair: what was reported, tried and seen. */
function repair(scene: Scene): ReviewFinding[] {
  const { before, occurrence, move } = scene
  const { said, signal, text } = occurrence
  const told = (words: string) => [note(scene, 'repair', 'remediator', words)]
  switch (said?.name) {
    case 'INFRA_BLOCKED': {
      const { issue = '', command = '', output = '', environment = '' } = said.body ?? {}
      const words = sections([
        ['Issue', issue],
        ['Command', command],
        ['Environment', environment],
        ['Output', output],
      ])
      return [note(scene, 'report', 'remediator', words || 'The environment is broken.')]
    }
    case 'AUDIT_BLOCKED':
      return [
        note(
          scene,
          'report',
          'remediator',
          (said.body?.preexistingFailures ?? []).join('\n') || 'Checks were red before the change.',
        ),
      ]
    case 'REMEDIATION_COMPLETE': {
      const fixes = (said.body?.issuesFixed ?? []).map(({ subject, detail }) => `${subject}: ${detail ?? ''}`)
      return told(
        `Attempt ${before.repairAttempts} (${occurrence.commit ?? 'no commit'}): ${fixes.join('\n')}`,
      )
    }
    case 'HEALTH_AUDIT: UNHEALTHY': {
      const red = (said.body?.failedChecks ?? []).map(
        ({ check, exit, output }) => `${check}${exit === null ? '' : ` (exit ${exit})`}: ${output ?? ''}`,
      )
      return told(`After attempt ${before.repairAttempts} still red:\n${red.join('\n')}`)
    }
    default:
      break
  }
  if (move.when === 'checks-red' || move.when === 'red-and-spent')
    return told(`After attempt ${before.repairAttempts} a fresh checkout is still red:\n${text ?? ''}`)
  if (before.state === 'repair-landing' && signal === 'LANDING_FAILED')
    return told(`Attempt ${before.repairAttempts} was green but could not land:\n${text ?? ''}`)
  if (before.state === 'remediating' && signal === 'AGENT_LOST')
    return told(`Attempt ${before.repairAttempts} broke off: ${text ?? ''}`)
  if (signal === 'RETRY' && text !== null)
    return [note(scene, 'guidance', TRAITS[before.state].isRepair ? 'remediator' : 'developer', text)]
  return []
}

function remarks(scene: Scene): ReviewFinding[] {
  const { before, occurrence, move } = scene
  const { signal, text } = occurrence
  if (signal === 'AGENT_LOST' && before.state !== 'developing' && text !== null)
    return [note(scene, 'lost', roleAt(before.state), text)]
  if (move.when === 'commit-unchanged') return [note(scene, 'remark', 'developer', UNCHANGED)]
  if (move.flags.includes('coordinates-file'))
    return [note(scene, 'remark', roleAt(before.resume.at(-1) ?? before.state), COORDINATE)]
  if (signal === 'FILE_FREE')
    return [note(scene, 'freed', roleAt(before.resume.at(-1)), freedText(before.file?.path))]
  if (move.when !== 'untestable') return []
  const vague = expandedCriteria(occurrence).filter((criterion) => !isTestable(criterion))
  const words = vague.length === 0 ? 'there was none' : vague.join('\n')
  return [
    note(
      scene,
      'remark',
      'analyst',
      `No test could show these criteria:\n${words}\nSay what can be observed.`,
    ),
  ]
}

function freedText(path = 'The file'): string {
  return `${path} is free: whoever had it in hand is done with it. Make your change on top of what it is now.`
}

const UNCHANGED =
  'You handed in the very commit that was sent back. Change what the findings name, commit, and hand in again.'
const COORDINATE =
  'The file cannot be left to you alone. Make your change to it as small as it can be and go on; what the others change meanwhile is merged when your work lands.'

function sections(parts: readonly (readonly [heading: string, text: string])[]): string {
  return parts
    .filter(([, text]) => text !== '')
    .map(([heading, text]) => `${heading}: ${text}`)
    .join('\n')
}
