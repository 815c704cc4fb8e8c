/** The pages in the order of the navigation; `g` and the letter open a page. */
export const DESTINATIONS = [
  { to: '/', name: 'Work', key: 'w', icon: 'work' },
  { to: '/cases', name: 'Cases', key: 'c', icon: 'cases' },
  { to: '/inbox', name: 'Inbox', key: 'i', icon: 'inbox' },
  { to: '/queue', name: 'Queue', key: 'q', icon: 'queue' },
  { to: '/health', name: 'Health', key: 'h', icon: 'health' },
] as const
