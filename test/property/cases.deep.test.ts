import { describe } from 'vitest'
import { seedOr } from '../seed.ts'
import { compareWithModel } from './random-commands.ts'

describe('many random sequences of commands', () => compareWithModel(seedOr(1), 300, 30))
