import { resolve } from 'node:path'

/** The folder of the built product, which holds the simulated agent. */
export const BUILT = resolve(import.meta.dirname, '..')
