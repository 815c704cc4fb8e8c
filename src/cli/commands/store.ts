import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { Failure } from '../../platform/failure.ts'
import { describeDamage } from '../../store/damage.ts'
import { parseImport } from '../../store/jsonl/import-cases.ts'
import type { StoreReport } from '../../store/store.ts'
import { type Context, print } from '../context.ts'
import { withExamples } from '../examples.ts'
import { EXIT } from '../exit-code.ts'
import { refused, withStore } from '../project.ts'
import { readInput } from '../read-input.ts'
import { jsonText } from '../render/json-text.ts'

/** Faults of an import that are listed; a file with more is not an export. */
const FAULTS_SHOWN = 1_000

export function define(command: Command, context: () => Context): void {
  const verifying = command
    .command('verify')
    .description('read everything and say what is wrong')
    .action(() => verify(context()))
  withExamples(verifying, 'axiom store verify', 'axiom store verify --json')
  const compaction = command
    .command('compact')
    .description('write one plain line per case')
    .option('--accept-damage', 'keep a copy of a damaged file and go on with what could be loaded')
    .action((options: { acceptDamage?: boolean }) => compact(context(), options))
  withExamples(compaction, 'axiom store compact')
  const exporting = command
    .command('export <file>')
    .description('write every case into a file (- for standard output)')
    .action((file: string) => exportTo(context(), file))
  withExamples(exporting, 'axiom store export backup.jsonl', 'axiom store export - | gzip > backup.jsonl.gz')
  const importing = command
    .command('import <file>')
    .description('take in the cases of an export: all of them, or none')
    .action((file: string) => importFrom(context(), file))
  withExamples(importing, 'axiom store import backup.jsonl')
  withExamples(command, 'axiom store verify', 'axiom store export backup.jsonl')
}

function verify(context: Context): Promise<void> {
  return withStore(
    context,
    'store verify',
    async (store) => {
      const report = await store.report()
      print(context, reportJson(report), () => reportText(report))
      if (report.damage.length > 0 || report.cycles.length > 0) context.exit(EXIT.failed)
    },
    { showsDamage: true },
  )
}

function reportJson(report: StoreReport): object {
  const cycles = report.cycles.map((path) => ({ code: 'CIRCULAR_DEPENDENCY_EXISTING', path }))
  const damage = report.damage.map((item) => ({ ...item, message: describeDamage(item) }))
  return { ...report, ok: damage.length === 0 && cycles.length === 0, damage, cycles }
}

function reportText(report: StoreReport): string {
  const { cases, deleted, lines, bytes } = report
  const faults = [
    ...report.damage.map((item) => `  ${describeDamage(item)}`),
    ...report.cycles.map(
      (path) => `  CIRCULAR_DEPENDENCY_EXISTING: ${path.join(' → ')}; remove one: "axiom case undepend"`,
    ),
  ]
  const size = `${cases} cases (${deleted} deleted), ${lines} lines, ${bytes} bytes`
  return faults.length === 0 ? `${size}: sound` : `${size}\n${faults.join('\n')}`
}

function compact(context: Context, options: { acceptDamage?: boolean }): Promise<void> {
  return withStore(context, 'store compact', async (store) => {
    const before = await store.report()
    const after = await store.compact(options)
    print(
      context,
      reportJson(after),
      () => `${before.lines} lines → ${after.lines}, ${before.bytes} bytes → ${after.bytes}`,
    )
  })
}

function exportTo(context: Context, file: string): Promise<void> {
  return withStore(context, 'store export', async (store) => {
    const lines = await store.exported()
    if (file === '-') {
      if (context.json) context.out(jsonText(lines.map((line) => JSON.parse(line) as unknown)))
      else if (lines.length > 0) context.out(lines.join('').trimEnd())
      return
    }
    const path = resolve(context.cwd, file)
    writeExport(path, lines)
    print(context, { exported: lines.length, file: path }, () => `${lines.length} cases written to ${path}`)
  })
}

/** An export that stops halfway must not replace an earlier one. */
function writeExport(path: string, lines: readonly string[]): void {
  const draft = `${path}.draft-${process.pid}`
  try {
    if (isDevice(path)) {
      writeFileSync(path, lines.join(''))
      return
    }
    writeFileSync(draft, lines.join(''), { flush: true })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw new Failure(
      'USAGE_FILE',
      `${path} cannot be written: ${error instanceof Error ? error.message : error}`,
      { hint: 'name a file in a folder that can be written', cause: error },
    )
  }
}

/** A pipe or a terminal must be written to; a rename would replace it with a file. */
function isDevice(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && !found.isFile()
}

async function importFrom(context: Context, file: string): Promise<void> {
  const { cases, faults } = parseImport(await readInput(context, file))
  if (faults.length > 0) throw malformedImport(faults)
  return withStore(context, 'store import', async (store) => {
    const outcome = await store.import(cases)
    if (outcome.kind === 'refused') throw refused(outcome)
    const { length } = outcome.created
    print(
      context,
      { imported: length, known: cases.length - length },
      () => `${length} cases imported, ${cases.length - length} were here`,
    )
  })
}

function malformedImport(faults: readonly string[]): Failure {
  const more = faults.length > FAULTS_SHOWN ? [`… and ${faults.length - FAULTS_SHOWN} more`] : []
  const shown = [...faults.slice(0, FAULTS_SHOWN), ...more].map((fault) => `\n  ${fault}`).join('')
  return new Failure(
    'USAGE_FILE',
    `the file is malformed in ${faults.length === 1 ? 'one place' : `${faults.length} places`}:${shown}`,
    { hint: 'each line is one case as "axiom store export" writes it; nothing was imported' },
  )
}
