import type { SignalNames } from '../signals/signal-names.ts'

export const AXIOM_SIGNAL_NAMES: SignalNames = { tag: 'axiom', names: {} }

export const SWARM_SIGNAL_NAMES: SignalNames = {
  tag: 'swarm',
  names: { PENDING: 'NEEDS_HUMAN', DISCOVERY_LOCAL: 'LEARNING_LOCAL', DISCOVERY_GLOBAL: 'LEARNING_GLOBAL' },
}
