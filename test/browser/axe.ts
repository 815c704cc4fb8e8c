import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

/** What axe finds wrong with the page as it stands, one line for each element. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const result = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResult
  return result.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html}\n${failureSummary}`),
  )
}
