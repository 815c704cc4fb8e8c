import { type Mount, parentsOf } from './mount-plan.ts'

/** The arguments of bubblewrap for a list of mounts, up to the program. Pure. */
export function bwrapArguments(
  mounts: readonly Mount[],
  options: { readonly cwd: string; readonly network: boolean },
): string[] {
  return [
    '--die-with-parent',
    '--new-session',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    ...(options.network ? [] : ['--unshare-net']),
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    // Bubblewrap's default belongs to root, and the unprivileged program could not use it.
    '--perms',
    '1777',
    '--tmpfs',
    '/dev/shm',
    '--proc',
    '/proc',
    ...mountArguments(mounts),
    '--chdir',
    options.cwd,
    '--',
  ]
}

function mountArguments(mounts: readonly Mount[]): string[] {
  const empty = mounts.flatMap((mount) => (mount.kind === 'empty' ? [mount.path] : []))
  return mounts.flatMap((mount) => {
    if (mount.kind === 'empty')
      return [...parents(mount.path, empty), '--perms', '0755', '--tmpfs', mount.path]
    if (mount.kind === 'link') return [...parents(mount.path, empty), '--symlink', mount.target, mount.path]
    const flag = mount.writable ? '--bind' : '--ro-bind'
    return [...parents(mount.to, empty), flag, mount.from, mount.to]
  })
}

/** Without these bubblewrap makes the missing folders private to root, and the unprivileged program is locked out. */
function parents(path: string, empty: readonly string[]): string[] {
  return parentsOf(path)
    .filter((folder) => empty.some((mask) => folder.startsWith(`${mask}/`)))
    .flatMap((folder) => ['--perms', '0755', '--dir', folder])
}
