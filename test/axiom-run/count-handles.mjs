// Loaded before the program: on SIGUSR2 it writes down what the program holds, after a collection of what it does not.
import { readdirSync, renameSync, writeFileSync } from 'node:fs'

const file = process.env.AXIOM_TEST_COUNTS
let serial = 0

process.on('SIGUSR2', () => {
  globalThis.gc?.()
  const resources = {}
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
  const descriptors = readdirSync('/proc/self/fd').length
  const { heapUsed } = process.memoryUsage()
  serial += 1
  writeFileSync(`${file}.new`, JSON.stringify({ serial, resources, listeners, descriptors, heapUsed }))
  renameSync(`${file}.new`, file)
})
