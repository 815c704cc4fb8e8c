import type { CaseDetail, Criterion } from '../../../../src/server/contract.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { clockTime, money } from '../../parts/format.ts'
import { keyed } from '../../parts/keyed.ts'
import { Dependencies } from './dependencies.tsx'
import { ReviewThread } from './review-thread.tsx'
import { Runs } from './runs.tsx'
import { Section } from './section.tsx'

const LOOKS: Readonly<Record<Criterion['state'], { tone: Tone; sign: string }>> = {
  met: { tone: 'good', sign: '✓' },
  unmet: { tone: 'bad', sign: '✕' },
  unjudged: { tone: 'plain', sign: '○' },
}

export function CaseOverview({ detail }: { readonly detail: CaseDetail }) {
  const { content, criteria, proof, spend } = detail
  return (
    <div className="grid gap-4 xl:grid-cols-[2fr_1fr]">
      <div className="flex min-w-0 flex-col gap-4">
        <Section title="What is wanted">
          <p className="whitespace-pre-wrap">{content}</p>
        </Section>
        {criteria.length > 0 ? (
          <Section title="Acceptance criteria">
            <ul className="flex flex-col gap-2">
              {keyed(criteria, ({ text }) => text).map(({ key, item: { text, state, evidence } }) => (
                <li key={key}>
                  <Badge {...LOOKS[state]}>{state}</Badge> {text}
                  {keyed(evidence, ({ by, text }) => `${by} ${text}`).map(({ key, item }) => (
                    <p key={key} className="mt-1 ml-4 text-sm text-soft">
                      {item.by}: {item.text}
                      {item.commit ? (
                        <code className="ml-2 font-mono">{item.commit.slice(0, 10)}</code>
                      ) : null}
                    </p>
                  ))}
                </li>
              ))}
            </ul>
          </Section>
        ) : null}
        <ReviewThread entries={detail.thread} />
        <Runs runs={detail.runs} />
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <Dependencies detail={detail} />
        {proof ? (
          <Section title="Proof">
            <p className="text-sm text-soft">
              commit <code className="font-mono">{proof.commit.slice(0, 12)}</code>
              {proof.at ? `, ${clockTime(proof.at)}` : ''}
            </p>
            <ul className="mt-1">
              {keyed(proof.checks, ({ name }) => name).map(({ key, item: { name, passed, tests } }) => (
                <li key={key} className="flex gap-2">
                  <Badge tone={passed ? 'good' : 'bad'} sign={passed ? '✓' : '✕'}>
                    {passed ? 'passed' : 'failed'}
                  </Badge>
                  <span className="truncate">{name}</span>
                  <span className="ml-auto text-sm text-soft">{tests}</span>
                </li>
              ))}
            </ul>
          </Section>
        ) : null}
        <Section title="Cost and budget">
          <dl className="grid grid-cols-2 gap-1 text-sm">
            <dt className="text-soft">this case</dt>
            <dd>{money(spend.own.costUsd)}</dd>
            <dt className="text-soft">with everything below</dt>
            <dd>{money(spend.total.costUsd)}</dd>
            <dt className="text-soft">tokens</dt>
            <dd>{spend.total.tokens.toLocaleString()}</dd>
            <dt className="text-soft">minutes, runs</dt>
            <dd>
              {spend.total.minutes.toFixed(1)}, {spend.total.runs}
            </dd>
            <dt className="text-soft">budget</dt>
            <dd>{budgetText(spend.budget)}</dd>
          </dl>
        </Section>
      </div>
    </div>
  )
}

function budgetText(budget: Readonly<Record<string, number>>): string {
  const parts = Object.entries(budget).map(([unit, limit]) => `${limit} ${unit}`)
  return parts.length === 0 ? 'none' : parts.join(', ')
}
