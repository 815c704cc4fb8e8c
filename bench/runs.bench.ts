import type { Report } from './measure.ts'
import { runCompiled } from './run-compiled.ts'

export function run(report: Report): Promise<void> {
  return runCompiled('runs-measures.js', report)
}
