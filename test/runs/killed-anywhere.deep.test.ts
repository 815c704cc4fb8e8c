import { describe } from 'vitest'
import { killAnywhere } from './killed-anywhere.ts'

describe('an orchestrator that is killed at any moment', () => killAnywhere(25))
