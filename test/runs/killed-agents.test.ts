import { describe } from 'vitest'
import { killAgents } from './killed-agents.ts'

describe('agents that are killed at some moments of their work', () => killAgents(5))
