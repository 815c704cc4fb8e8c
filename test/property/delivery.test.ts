import { it } from 'vitest'
import { walkDelivery } from '../delivery-walk.ts'

const WALKS = 1_000

it('a thousand new walks through delivery keep its caps and land only what was audited', () => {
  walkDelivery(WALKS)
})
