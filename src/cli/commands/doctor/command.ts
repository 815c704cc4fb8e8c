import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { simTrial } from '../../../agents/drivers/sim.ts'
import { resolveConfig } from '../../../config/resolve-config.ts'
import type { Config } from '../../../config/schema.ts'
import type { Prerequisite } from '../../../planning/prerequisites/prerequisite.ts'
import { probePrerequisites } from '../../../planning/prerequisites/probe-prerequisites.ts'
import { Failure } from '../../../platform/failure.ts'
import type { SandboxReport } from '../../../platform/sandbox/sandbox-report.ts'
import { BUILT } from '../../built.ts'
import { type Colors, type Context, print } from '../../context.ts'
import { EXIT } from '../../exit-code.ts'
import { configPath, loadConfig } from '../../load-config.ts'
import { findProject, type Project } from '../../project.ts'
import { tryAgent } from './try-agent.ts'

export function define(command: Command, context: () => Context): void {
  command.action(() => examine(context()))
  command.addHelpText(
    'after',
    `
Exit code 4 when anything fails; a warning does not change it.

Examples:
  axiom doctor
  axiom doctor --json | jq '.[] | select(.status != "ok")'`,
  )
}

async function examine(context: Context): Promise<void> {
  const { config, prerequisite } = await examineConfig(context)
  const world = { cwd: context.cwd, env: context.env }
  const trial = { world, sandbox: config.sandbox, built: BUILT }
  const agentProbe = { agent: simTrial(BUILT), tryAgent: (report: SandboxReport) => tryAgent(trial, report) }
  const root = projectAt(context.cwd)?.root
  const probed = await probePrerequisites(world, config, process.versions.node, agentProbe, root)
  const all = [...probed, prerequisite]
  print(context, all, () => showPrerequisites(all, context.colors))
  if (all.some(({ status }) => status === 'fail')) context.exit(EXIT.environment)
}

/** Undefined outside a project: the machine is examined all the same. */
function projectAt(cwd: string): Project | undefined {
  try {
    return findProject(cwd)
  } catch {
    return undefined
  }
}

/** A configuration that cannot be read is a finding like any other, not the end of the examination. */
async function examineConfig(context: Context): Promise<{ config: Config; prerequisite: Prerequisite }> {
  const name = 'configuration'
  const defaults = resolveConfig({ env: context.env }).config
  const project = projectAt(context.cwd)
  if (project === undefined || !existsSync(configPath(project.folder))) {
    const found = 'none yet; the defaults hold'
    return { config: defaults, prerequisite: { name, status: 'ok', found, fix: 'axiom init' } }
  }
  try {
    const { config, path, warnings } = await loadConfig(project.folder, { env: context.env })
    if (warnings.length === 0) return { config, prerequisite: { name, status: 'ok', found: path } }
    const fix = `correct ${path}; \`axiom config get\` shows what holds`
    return { config, prerequisite: { name, status: 'warn', found: warnings.join('\n'), fix } }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { code, message, hint } = error
    return { config: defaults, prerequisite: { name, status: 'fail', code, found: message, fix: hint } }
  }
}

export function showPrerequisites(all: readonly Prerequisite[], colors: Colors): string {
  const width = Math.max(...all.map(({ name }) => name.length))
  const mark = { ok: colors.green('ok  '), warn: colors.yellow('warn'), fail: colors.red('FAIL') }
  const indent = ' '.repeat(width + 7)
  return all
    .flatMap(({ name, status, found, code, fix }) => [
      `${mark[status]} ${name.padEnd(width)}  ${found.replaceAll('\n', `\n${indent}`)}${code && status !== 'ok' ? ` [${code}]` : ''}`,
      ...(fix && status !== 'ok' ? [`${indent}${colors.dim('→')} ${fix}`] : []),
    ])
    .join('\n')
}
