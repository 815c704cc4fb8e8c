// A network of its own that has nothing but the loopback address, where this machine lets one be made.
import { spawnSync } from 'node:child_process'

const BRING_UP = 'ip link set lo up 2>/dev/null || ifconfig lo up'

/** Words to put before a command so that it runs in such a network; none where it cannot be had. */
export function loopbackPrefix() {
  for (const flags of ['-n', '-rn']) {
    const probe = spawnSync('unshare', [flags, 'sh', '-c', BRING_UP], { stdio: 'ignore', timeout: 10_000 })
    if (probe.status === 0) return ['unshare', flags, 'sh', '-c', `{ ${BRING_UP}; } && exec "$@"`, 'sh']
  }
  return []
}
