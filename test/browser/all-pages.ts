/** Every page, and for each of them words that stand there as soon as it is drawn. */
export const ALL_PAGES: readonly (readonly [name: string, path: string, shown: string])[] = [
  ['work', '/', 'article'],
  ['cases', '/cases', 'a[data-selectable]'],
  ['board', '/cases?view=board', 'section[aria-label="Done"]'],
  ['list', '/cases?view=list', 'a[data-selectable]'],
  ['case', '/cases/task-001', 'section:has-text("What is wanted")'],
  ['diff', '/cases/task-001?tab=diff', 'button[aria-label*="Comment on line"]'],
  ['log', '/cases/task-001?tab=log', 'section[aria-label="Log"] div div'],
  ['history', '/cases/task-001?tab=history', 'time'],
  ['inbox', '/inbox', 'li[data-selectable]'],
  ['queue', '/queue', 'tbody tr'],
  ['health', '/health', 'tbody tr'],
]
