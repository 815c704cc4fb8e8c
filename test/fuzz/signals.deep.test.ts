import { describe } from 'vitest'
import { seedOr } from '../seed.ts'
import { expectAgreement } from './agreement.ts'

const FIRST_SEED = seedOr(5)

describe('the signal parser on much generated input', () =>
  expectAgreement([FIRST_SEED, FIRST_SEED + 1, FIRST_SEED + 2, FIRST_SEED + 3], 250_000))
