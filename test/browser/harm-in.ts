import type { Page } from 'playwright-core'

/** What a text must not have become on a page. */
export interface Harm {
  readonly executed: number
  /** Elements that can load, run or send something. */
  readonly made: number
  /** Signs that steer a terminal, or the direction in which is read. */
  readonly signs: readonly string[]
}

export const NO_HARM: Harm = { executed: 0, made: 0, signs: [] }

const LOOK = `(() => {
  const made = document.querySelectorAll(
    '#root :is(script, img, iframe, object, embed, video, audio, style, link, base, meta, form[action], marquee), #root svg :is(script, animate), #root a[href^="javascript:"], #root a[href^="data:"], #root [onerror], #root [onload], #root [onfocus], #root [style*="url("]',
  ).length
  const shown = [document.body.textContent, ...[...document.querySelectorAll('#root [title], #root [aria-label]')].flatMap((one) => [one.title, one.getAttribute('aria-label') ?? ''])].join(' ')
  const signs = shown.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g) ?? []
  return { executed: window.executed ?? 0, made, signs: [...new Set(signs)].map((sign) => sign.charCodeAt(0).toString(16)) }
})()`

export async function harmIn(page: Page): Promise<Harm> {
  return (await page.evaluate(LOOK)) as Harm
}
