import { expect, it } from 'vitest'
import { ROLES as CONFIGURABLE } from '../config/work-options.ts'
import { ROLES } from './roles.ts'

// The configuration imports nothing, so the compiler cannot hold its list to the roles that there are.
it('each role can be given a driver of its own', () => {
  expect(CONFIGURABLE.toSorted()).toEqual(ROLES.toSorted())
})
