import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Settings of kernels by which a plain user gets no user namespace, and the value that forbids it. */
const FORBIDDING = [
  ['/proc/sys/kernel/unprivileged_userns_clone', '0'],
  ['/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1'],
  ['/proc/sys/user/max_user_namespaces', '0'],
] as const

/** Why a plain user can have no walls here; empty when one can. */
export function describeKernel(): string[] {
  return FORBIDDING.flatMap(([path, value]) =>
    read(path) === value ? [`${path} is ${value}, so a plain user gets no namespaces`] : [],
  )
}

/** Mounts and folders by which a machine that this process made could be noticed afterwards. */
export function leftOnThisMachine(): string[] {
  const mounts = read('/proc/self/mountinfo')
    .split('\n')
    .filter((line) => line.includes(`/axiom-machine-${process.pid}-`))
  const own = new RegExp(`^axiom-machine-${process.pid}-`)
  const folders = readdirSync(tmpdir()).filter((name) => own.test(name))
  return [...mounts, ...folders]
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
