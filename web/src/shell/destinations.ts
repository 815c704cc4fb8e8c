/** The pages in the order of the navigation; the letter after `g` leads there. */
export const DESTINATIONS = [
  { to: '/', name: 'Work', key: 'w', sign: '▦' },
  { to: '/cases', name: 'Cases', key: 'c', sign: '☰' },
  { to: '/inbox', name: 'Inbox', key: 'i', sign: '✉' },
  { to: '/queue', name: 'Queue', key: 'q', sign: '⇶' },
  { to: '/health', name: 'Health', key: 'h', sign: '♥' },
] as const
