import { isObject } from '../../../../config/value-path.ts'
import { type AssembledPrompt, assemblePrompt } from '../../../../personas/assemble-prompt.ts'
import type { Answer, Feedback, PersonaFiles } from '../../../../personas/prompt-input.ts'
import { agentIdPrefix } from '../../../../personas/roles.ts'
import type { Vocabulary } from '../../../../vocabulary/vocabulary.ts'
import type { Examined } from '../examine-project.ts'

/** The content of Ava's prompt. All of it comes from the project or the user, so the prompt quotes it. */
export interface AvaSubject {
  readonly vocabulary: Vocabulary
  readonly files: PersonaFiles
  readonly examined: Examined
  /** The configuration that would be written without Ava. */
  readonly draft: Readonly<Record<string, unknown>>
  /** The configuration file of a project that is set up already. */
  readonly present?: unknown
  readonly branch: string | undefined
  readonly isReturning: boolean
  /** Whether a person can answer. */
  readonly canAsk: boolean
}

/** The conversation so far, when Ava's next iteration starts. */
export interface AvaNews {
  readonly iteration: number
  readonly answers: readonly Answer[]
  readonly faults: readonly string[]
}

export function avaId(vocabulary: Vocabulary): string {
  return `${agentIdPrefix(vocabulary, 'ava')}-001`
}

export const AVA_TASK = 'first-start'

export function avaPrompt(subject: AvaSubject, { iteration, answers, faults }: AvaNews): AssembledPrompt {
  const { vocabulary, files, branch } = subject
  const feedback: Feedback[] =
    faults.length === 0
      ? []
      : [
          {
            kind: 'finding',
            title: 'Why your last message could not be used',
            origin: vocabulary.product,
            text: faults.map((fault) => `- ${fault}`).join('\n'),
          },
        ]
  return assemblePrompt({
    vocabulary,
    role: 'onboarding',
    agent: avaId(vocabulary),
    files,
    assignment: {
      id: AVA_TASK,
      order: orderOf(subject),
      place: [
        'This directory is a throwaway checkout of the last commit, without installed packages. Look around and run what you like; it is deleted afterwards.',
        ...(branch === undefined ? [] : [`Branch \`${branch}\``]),
      ],
      material: [
        { title: 'What the rules found', origin: 'the rules', text: foundText(subject.examined) },
        {
          title: 'The configuration without you',
          origin: 'the rules',
          text: configText(subject.draft),
        },
        ...(isObject(subject.present)
          ? [
              {
                title: 'What is configured now',
                origin: `${vocabulary.folder}/config.json`,
                text: configText(subject.present),
              },
            ]
          : []),
      ],
    },
    discoveries: [],
    iteration: { number: iteration, answers, feedback },
  })
}

function orderOf({ vocabulary, isReturning, canAsk }: AvaSubject): string {
  const people = canAsk
    ? 'A person is there: ask one question at a time, by ending your message with the signal for it, and the answer comes back to you.'
    : 'Nobody can answer now: decide what is safe, and propose nothing that depends on an answer.'
  return [
    isReturning ? 'The person has been here before.' : 'The person is here for the first time.',
    people,
    'In the json block you may set `verification`; `setup`, `setupTimeout`, `variables` and `copy` of `workspace`; `mode` and `target` of `integration`; nothing else.',
    'Every command is one line for `sh -c`, run at the root of a fresh checkout after the set-up.',
    `${vocabulary.product} runs all of them again: what does not pass there is not written. Checks that the rules have proven stay, so spend your effort on what they missed.`,
  ].join(' ')
}

/** Ava may not change the rest of the configuration, so it would only distract. */
function configText({ verification, workspace, integration }: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ verification, workspace, integration }, null, 2)
}

function foundText({ units, proofs, surroundings }: Examined): string {
  const tried = proofs.map(({ folder, kind, command, because, outcome, seconds, tail }) => ({
    folder,
    kind,
    command,
    because,
    outcome,
    seconds: Number(seconds.toFixed(1)),
    ...(tail === '' ? {} : { tail }),
  }))
  return JSON.stringify({ units, tried, surroundings }, null, 2)
}
