import { describe } from 'vitest'
import { compareWithModel } from './random-commands.ts'

describe('random sequences of commands', () => compareWithModel(1, 100, 10))
