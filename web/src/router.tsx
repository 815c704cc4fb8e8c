import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { type CaseSearch, TABS } from './pages/case/case-search.ts'
import type { CasesSearch } from './pages/cases/cases-search.ts'
import { WorkPage } from './pages/work/work-page.tsx'
import { Frame } from './shell/frame.tsx'

const root = createRootRoute({ component: Frame })

type Search = Readonly<Record<string, unknown>>

/** The named search parameters; empty and non-string values are left out. */
function texts<Name extends string>(search: Search, ...names: readonly Name[]): { [Key in Name]?: string } {
  const found = names.flatMap((name) => {
    const value = search[name]
    return (typeof value === 'string' || typeof value === 'number') && value !== ''
      ? [[name, String(value)]]
      : []
  })
  return Object.fromEntries(found) as { [Key in Name]?: string }
}

const work = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: (search: Search) => texts(search, 'agent'),
  component: WorkPage,
})

const cases = createRoute({
  getParentRoute: () => root,
  path: '/cases',
  validateSearch: (search: Search): CasesSearch => {
    const view = (['tree', 'board', 'list'] as const).find((one) => one === search.view)
    return { ...(view ? { view } : {}), ...texts(search, 'text', 'type', 'status', 'tag') }
  },
  component: lazyRouteComponent(() => import('./pages/cases/cases-page.tsx'), 'CasesPage'),
})

const oneCase = createRoute({
  getParentRoute: () => root,
  path: '/cases/$id',
  validateSearch: (search: Search): CaseSearch => {
    const tab = TABS.find((one) => one === search.tab)
    return { ...(tab ? { tab } : {}), ...texts(search, 'log', 'commit') }
  },
  component: lazyRouteComponent(() => import('./pages/case/case-page.tsx'), 'CasePage'),
})
const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  validateSearch: (search: Search) => texts(search, 'kind'),
  component: lazyRouteComponent(() => import('./pages/inbox/inbox-page.tsx'), 'InboxPage'),
})
const queue = createRoute({
  getParentRoute: () => root,
  path: '/queue',
  component: lazyRouteComponent(() => import('./pages/queue/queue-page.tsx'), 'QueuePage'),
})
const health = createRoute({
  getParentRoute: () => root,
  path: '/health',
  component: lazyRouteComponent(() => import('./pages/health/health-page.tsx'), 'HealthPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([work, cases, oneCase, inbox, queue, health]),
  defaultPreload: 'intent',
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
