import { relative, resolve } from 'node:path'
import type { Command } from 'commander'
import { type Context, print } from '../../context.ts'
import { withExamples } from '../../examples.ts'
import { headline, plain } from '../../render/plain-text.ts'
import { withGround } from '../../with-ground.ts'
import { blameLine, parsePlace } from './blame-line.ts'
import { type Explanation, explainLine } from './explain-line.ts'

const NAME_WIDTH = 10
const TEXT_WIDTH = 100

export function define(command: Command, context: () => Context): void {
  command.argument('<file:line>', 'a line of a file').action((place: string) => why(context(), place))
  withExamples(command, 'axiom why src/login.ts:12', 'axiom why src/login.ts:12 --json')
}

function why(context: Context, place: string): Promise<void> {
  const { file, line } = parsePlace(place)
  return withGround(context, 'why', async (project) => {
    const path = relative(project.root, resolve(context.cwd, file))
    const explanation = await explainLine(context, project, await blameLine(project, { file: path, line }))
    print(context, explanation, () => draw(context, explanation))
  })
}

function draw({ colors }: Context, found: Explanation): string {
  const row = (name: string, text: string): string[] =>
    text === '' ? [] : [`${colors.dim(name.padEnd(NAME_WIDTH))} ${text}`]
  const { landedTask, operation, region, need } = found
  return [
    `${colors.bold(`${found.file}:${found.line}`)}  ${headline(found.text, TEXT_WIDTH)}`,
    ...row(
      'commit',
      found.commit === null
        ? 'not committed yet'
        : `${found.commit.slice(0, 12)}  ${headline(found.subject, TEXT_WIDTH)}`,
    ),
    ...row('by', found.commit === null ? '' : `${plain(found.agent ?? found.author)}, ${found.at ?? ''}`),
    ...row(
      'task',
      landedTask
        ? `${landedTask.id}  ${headline(landedTask.content, TEXT_WIDTH)}`
        : found.commit === null
          ? ''
          : 'none: a person committed it',
    ),
    ...row(
      'landed',
      found.landed
        ? `${found.landed.at}, ${found.landed.published ? 'and on your branch' : 'not on your branch yet'}`
        : '',
    ),
    ...found.criteria.flatMap(({ text, evidence }) =>
      row(
        'criterion',
        `${headline(text, TEXT_WIDTH)}${evidence === null ? '' : colors.dim(`  shown by ${headline(evidence, TEXT_WIDTH)}`)}`,
      ),
    ),
    ...row('operation', operation ? `${operation.id}  ${headline(operation.content, TEXT_WIDTH)}` : ''),
    ...row(
      'spec',
      region ? `${region.specFile} ${region.start}–${region.end}  ${headline(region.text, TEXT_WIDTH)}` : '',
    ),
    ...row('need', need ? `${need.id}  ${headline(need.content, TEXT_WIDTH)}` : ''),
    ...found.review.flatMap(({ role, signal, agent, at }) =>
      row('review', `${signal} by ${plain(agent)} (${role}), ${at}`),
    ),
  ].join('\n')
}
