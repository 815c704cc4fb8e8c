import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { openMaterial } from '../src/cli/commands/demo/demo-material.ts'
import { demoPlaybook } from '../src/cli/commands/demo/demo-playbook.ts'
import { parsePlan } from '../src/planning/plan-file/parse-plan.ts'
import { parsePlaybook } from '../src/sim/playbook.ts'

const material = openMaterial(resolve(import.meta.dirname, '../demo'))

it('the plan of the demo is a plan without a warning but for the task that an analyst has to make testable', () => {
  const parsed = parsePlan(readFileSync(material.plan, 'utf8'))
  expect(parsed.kind).toBe('valid')
  const places = parsed.kind === 'valid' ? parsed.warnings.map(({ place }) => place) : []
  expect(places.every((place) => place.includes('t-guide') || place.includes('operations[2]'))).toBe(true)
})

it('the simulated agent can play what the demo has for it, and every task of the plan has its developer', () => {
  const playbook = parsePlaybook(JSON.stringify(demoPlaybook(material, 7)))
  const played = new Set(
    playbook.entries.flatMap(({ role, tasks = [] }) => (role === 'developer' ? tasks : [])),
  )
  const plan = JSON.parse(readFileSync(material.plan, 'utf8')) as {
    operations: { tasks: { key: string }[] }[]
  }
  const planned = plan.operations.flatMap(({ tasks }) => tasks.map(({ key }) => key))
  expect([...played].toSorted()).toEqual(planned.toSorted())
})
