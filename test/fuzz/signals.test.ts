import { describe } from 'vitest'
import { expectAgreement } from './agreement.ts'

describe('the signal parser on generated input', () => expectAgreement([1, 2, 3, 4], 15_000))
