import { describe, expect, it } from 'vitest'
import { AXIOM } from '../vocabulary/axiom.ts'
import { VOCABULARIES } from '../vocabulary/find-vocabulary.ts'
import { SWARM } from '../vocabulary/swarm.ts'
import { identityOf } from './identities.ts'
import { keepRole, writePromptFile, writeRulesFile } from './persona-files.ts'
import { AGENTS, agentIdPrefix, agentOfRole, findRole, ROLES } from './roles.ts'

const headings = (text: string) => text.split('\n').filter((line) => /^##? /.test(line))

describe('the files of a persona', () => {
  it('have the sections that people know', () => {
    expect(headings(writePromptFile(AXIOM, 'echo'))).toEqual([
      '# Executor Echo - System Prompt',
      '## Identity',
      '## Responsibilities',
      '## Communication Style',
      '## Rules Reference',
    ])
    expect(headings(writeRulesFile(AXIOM, 'echo'))).toEqual([
      '# Executor Echo - Rules',
      '## Must Do',
      '## Must Not Do',
      '## Verification Standards',
    ])
    expect(headings(writeRulesFile(SWARM, 'echo')).at(-1)).toBe('## Quality Standards')
  })

  it('exist for every agent in every vocabulary, naming only signals that the agent may send', () => {
    for (const vocabulary of Object.values(VOCABULARIES)) {
      for (const agent of AGENTS) {
        expect(writePromptFile(vocabulary, agent)).toContain(`in the ${vocabulary.product} team.`)
        expect(writeRulesFile(vocabulary, agent)).toContain('## Must Not Do\n- ')
      }
    }
  })

  it('give a persona of several roles only the one it plays', () => {
    const prompt = writePromptFile(AXIOM, 'axel')
    expect(keepRole(prompt, 'planner')).toContain('**DECOMPOSE**')
    expect(keepRole(prompt, 'planner')).not.toContain('EXPANDED_TASK_SPECIFICATION')
    expect(keepRole(prompt, 'analyst')).toContain('EXPANDED_TASK_SPECIFICATION')
    expect(keepRole(prompt, 'analyst')).not.toContain('**DECOMPOSE**')
    expect(keepRole(prompt, 'analyst')).toContain('## Communication Style')
  })
})

describe('the agents', () => {
  it('have the faces and names of the team', () => {
    const row = (agent: (typeof AGENTS)[number]) => {
      const { fullName, emoji, role, colour, concurrency } = identityOf(AXIOM, agent)
      return [fullName, emoji, role, colour, concurrency].join(' | ')
    }
    expect(AGENTS.slice(0, 8).map(row)).toEqual([
      'Analyst Ava | 🔍 | Project analysis | Indigo | one',
      'Architect Axel | 📊 | Planning + Debrief | Purple | one',
      'Executor Echo | ⚙️ | Implementation | Blue | many',
      'Resolver Rex | 🔧 | Merge conflict resolution | Orange | one',
      'Curator Cleo | 💡 | Discovery creation | Teal | one',
      'Director Dex | 😎 | Orchestration | Gold | one',
      'Monitor Max | 👁️ | Health monitoring | Amber | one',
      'Auditor Ash | 📈 | Metrics and ID assignment | Slate | one',
    ])
    expect(identityOf(SWARM, 'echo')).toMatchObject({ fullName: 'Engineer Ed', id: 'ed', role: 'Worker' })
  })

  it('play every role under one id prefix', () => {
    const prefixes = ROLES.map((role) => `${role}: ${agentIdPrefix(AXIOM, agentOfRole(role))}`)
    expect(prefixes).toEqual([
      'developer: echo',
      'critic: critic',
      'auditor: auditor',
      'resolver: rex',
      'planner: axel',
      'analyst: axel',
      'remediator: remediator',
      'health-auditor: max',
      'expert: expert',
      'lead: dex',
      'onboarding: ava',
      'curator: cleo',
    ])
  })

  it('are found by the name a person would type', () => {
    expect(findRole(AXIOM, 'Echo')).toBe('developer')
    expect(findRole(SWARM, 'ed')).toBe('developer')
    expect(findRole(AXIOM, 'analyst')).toBe('analyst')
    expect(findRole(AXIOM, 'axel')).toBe('planner')
    expect(findRole(AXIOM, 'expert')).toBe('expert')
    expect(findRole(AXIOM, 'ed')).toBeUndefined()
    expect(findRole(AXIOM, 'ash')).toBeUndefined()
  })
})
