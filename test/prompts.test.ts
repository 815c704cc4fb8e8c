import { describe, expect, it } from 'vitest'
import { assemblePrompt } from '../src/personas/assemble-prompt.ts'
import { ROLES } from '../src/personas/roles.ts'
import { expectGolden } from './golden.ts'
import { toolshedInput } from './toolshed.ts'

describe('the prompts of one task', () => {
  for (const role of ROLES) {
    it(`are recorded for the ${role}`, () => {
      const { text, problems, leftOut } = assemblePrompt(toolshedInput(role))
      expect({ problems, leftOut }).toEqual({ problems: [], leftOut: [] })
      expectGolden(`prompts/${role}.md`, text)
    })
  }
})
