import { it } from 'vitest'
import { walkDelivery } from '../delivery-walk.ts'

const WALKS_PER_STATE = 25

it('twenty-five new walks from every state of delivery keep its caps and land only what was audited', () => {
  walkDelivery(WALKS_PER_STATE)
})
