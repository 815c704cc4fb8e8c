import { describe } from 'vitest'
import { killAgents } from './killed-agents.ts'

describe('agents that are killed at any moment of their work', () => killAgents(20))
