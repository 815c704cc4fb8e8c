import { expect, it } from 'vitest'
import { allowEnvironment } from './environment.ts'

it('lets through what is listed, and nothing that is not', () => {
  const host = {
    PATH: '/bin',
    LC_ALL: 'C',
    https_proxy: 'http://proxy',
    HOME: '/home/me',
    TMPDIR: '/private',
    AWS_SECRET_ACCESS_KEY: 'x',
    GITHUB_TOKEN: 'x',
    IS_SANDBOX: 'yes',
    SSH_AUTH_SOCK: '/run/agent',
    UNSET: undefined,
  }
  expect(allowEnvironment(host, { home: '/h', temporary: '/t' })).toEqual({
    PATH: '/bin',
    LC_ALL: 'C',
    https_proxy: 'http://proxy',
    HOME: '/h',
    TMPDIR: '/t',
  })
})

it('always gives a path', () => {
  expect(allowEnvironment({}, { home: '/h', temporary: '/t' }).PATH).toContain('/usr/bin')
})
