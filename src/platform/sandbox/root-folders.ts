import { MASKED } from './mount-plan.ts'

/**
 * Folders that every system has and every user can list; the one where a leftover does least harm is first.
 */
const USUAL = ['/var/lib', '/opt', '/usr/local', '/srv', '/usr', '/etc', '/var', '/']

/** Kernel interfaces: a write there changes no user's file. */
const NO_STORAGE =
  /^(proc|sysfs|cgroup2?|devtmpfs|devpts|mqueue|autofs|binfmt_misc|\w*debugfs|tracefs|securityfs|pstore|bpf|configfs|fusectl|hugetlbfs|rpc_pipefs|efivarfs|nsfs)$/

/**
 * Folders outside everything that is masked, where a confined program must not be able to write: the usual ones, the
 * place of each other mount, and shared memory. Takes the text of `/proc/self/mountinfo`. Pure.
 */
export function rootFolders(mountinfo: string): string[] {
  const mounted = mountinfo.split('\n').flatMap((line) => {
    const [about = '', source = ''] = line.split(' - ')
    const place = unescaped(about.split(' ')[4] ?? '')
    const [type = ''] = source.split(' ')
    return place === '' || NO_STORAGE.test(type) ? [] : [place]
  })
  const open = mounted.filter(
    (place) => ![...MASKED, '/proc', '/sys', '/dev'].some((mask) => `${place}/`.startsWith(`${mask}/`)),
  )
  // Last, because inside a sandbox it is private and may be written.
  return [...new Set([...USUAL, ...open, '/dev/shm'])]
}

/** The kernel writes blanks and backslashes as octal numbers. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
}
