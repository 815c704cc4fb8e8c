import { describe, expect, it } from 'vitest'
import type { SandboxLevel } from './confinement.ts'
import { chooseLevel, eachProbe, type LevelReport, type Probe, type ProbeResult } from './sandbox-report.ts'

function level(name: SandboxLevel, open: Probe[] = [], works = true): LevelReport {
  const probes: Record<Probe, ProbeResult> = eachProbe(works ? 'held' : 'untried')
  for (const probe of open) probes[probe] = 'open'
  return { level: name, works, note: '', probes }
}

describe('the chosen level', () => {
  it('is the tightest that holds', () => {
    const tried = [level('bwrap', ['read-secret']), level('unshare', ['reach-port']), level('process-group')]
    expect(chooseLevel(tried, 'host')).toMatchObject({
      level: 'unshare',
      sandboxed: true,
      consent: 'not-needed',
    })
  })

  it('is no sandbox where one decisive thing is open, but still ends its processes', () => {
    const tried = [
      level('bwrap', [], false),
      level('unshare', ['write-outside']),
      level('process-group', ['outlive']),
    ]
    expect(chooseLevel(tried, 'host')).toMatchObject({
      level: 'unshare',
      sandboxed: false,
      consent: 'needed',
    })
  })

  it('is no sandbox when it is a process group, even one that held this time', () => {
    expect(chooseLevel([level('process-group')], 'host')).toMatchObject({
      sandboxed: false,
      consent: 'needed',
    })
  })
})
