import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { WorkPage } from './pages/work/work-page.tsx'
import { Frame } from './shell/frame.tsx'

const root = createRootRoute({ component: Frame })
const work = createRoute({ getParentRoute: () => root, path: '/', component: WorkPage })

/** What of the list of cases is shown; it stands in the address, so that a view can be sent to somebody. */
export interface CasesSearch {
  readonly view?: 'tree' | 'board' | 'list'
  readonly text?: string
  readonly type?: string
  readonly status?: string
  readonly tag?: string
}

const cases = createRoute({
  getParentRoute: () => root,
  path: '/cases',
  validateSearch: (search: Record<string, unknown>): CasesSearch => {
    const text = (name: string) =>
      typeof search[name] === 'string' && search[name] !== '' ? search[name] : undefined
    const view = (['tree', 'board', 'list'] as const).find((one) => one === search.view)
    return {
      ...(view ? { view } : {}),
      ...Object.fromEntries(
        ['text', 'type', 'status', 'tag'].flatMap((name) => (text(name) ? [[name, text(name)]] : [])),
      ),
    }
  },
  component: lazyRouteComponent(() => import('./pages/cases/cases-page.tsx'), 'CasesPage'),
})

export const TABS = ['overview', 'diff', 'log', 'history'] as const
export type Tab = (typeof TABS)[number]

const oneCase = createRoute({
  getParentRoute: () => root,
  path: '/cases/$id',
  validateSearch: (search: Record<string, unknown>): { readonly tab?: Tab } => {
    const tab = TABS.find((one) => one === search.tab)
    return tab ? { tab } : {}
  },
  component: lazyRouteComponent(() => import('./pages/case/case-page.tsx'), 'CasePage'),
})
const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
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
