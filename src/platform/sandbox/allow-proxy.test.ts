import { expect, it } from 'vitest'
import { isAllowed } from './allow-proxy.ts'

const allow = ['api.example.com', '*.registry.example', 'local.example:8080']

it.each([
  ['api.example.com', 443, true],
  ['API.example.com.', 80, true],
  ['api.example.com', 22, false],
  ['evil-api.example.com', 443, false],
  ['api.example.com.evil.test', 443, false],
  ['a.registry.example', 443, true],
  ['registry.example', 443, false],
  ['local.example', 8080, true],
  ['local.example', 443, false],
  ['127.0.0.1', 443, false],
  ['', 443, false],
])('%s:%i is let through: %s', (host, port, expected) => {
  expect(isAllowed(allow, host, port)).toBe(expected)
})
