import { expect, it } from 'vitest'
import { probeOnce } from './probe-once.ts'
import { chooseLevel, eachProbe, type SandboxReport } from './sandbox-report.ts'

function reportOf(result: 'held' | 'open'): SandboxReport {
  return chooseLevel([{ level: 'bwrap', works: true, note: '', probes: eachProbe(result) }], 'host')
}

function counting(report: SandboxReport) {
  const counted = { count: 0, probe: () => Promise.resolve(report) }
  counted.probe = () => {
    counted.count += 1
    return Promise.resolve(report)
  }
  return counted
}

it('asks once for the same machine, level and network, and again for another', async () => {
  const canary = counting(reportOf('held'))
  const host = { environment: { PATH: '/bin' }, home: '/home/once' }
  const ask = (options: Parameters<typeof probeOnce>[1], at = host) => probeOnce(at, options, canary.probe)
  await Promise.all([ask({ level: 'auto' }), ask({ level: 'auto' })])
  await ask({ level: 'auto' })
  expect(canary.count).toBe(1)
  await ask({ level: 'unshare' })
  await ask({ level: 'auto', network: { kind: 'none' } })
  await ask({ level: 'auto' }, { ...host, environment: { PATH: '/usr/bin' } })
  expect(canary.count).toBe(4)
})

it('asks again where nothing held', async () => {
  const canary = counting(reportOf('open'))
  const host = { environment: {}, home: '/home/again' }
  await probeOnce(host, {}, canary.probe)
  await probeOnce(host, {}, canary.probe)
  expect(canary.count).toBe(2)
})
