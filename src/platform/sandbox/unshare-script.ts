import type { Mount } from './mount-plan.ts'

/**
 * The same mounts without bubblewrap: a shell script that is the first process of the new namespaces. It makes a
 * copy of the tree, closes it, opens what the plan opens, and starts its arguments inside. Pure.
 */
export function unshareScript(mounts: readonly Mount[], cwd: string, root: string): string {
  return [
    'set -e',
    // In a network of its own even the loopback is down; where it is the machine's, this changes nothing.
    'PATH="$PATH:/usr/sbin:/sbin" ip link set lo up 2>/dev/null || :',
    `R=${quote(root)}`,
    'mount --rbind / "$R"',
    // Nothing that is mounted below `/` may stay writable; what cannot be closed is kernel interface, not storage.
    `awk -v r="$R" '$5 == r || index($5, r "/") == 1 { print $5 }' /proc/self/mountinfo | while read -r m; do`,
    '  case "$m" in "$R"/proc*|"$R"/dev*) continue;; esac',
    '  mount -o remount,bind,ro "$m" 2>/dev/null || case "$m" in "$R"/sys*) ;; *) exit 97;; esac',
    'done',
    'mount -t proc proc "$R/proc"',
    // A link planted at a mount point must not lead the mount elsewhere.
    'at() { [ "$(realpath -m -- "$R$1")" = "$R$1" ] || exit 97; }',
    ...mounts.map(mountLine),
    // Changing the root for good, not by chroot: inside a chroot the kernel refuses further user namespaces.
    'cd "$R"',
    'PATH="$PATH:/usr/sbin:/sbin" pivot_root . .',
    'umount -l .',
    `cd ${quote(cwd)}`,
    'set +e',
    '"$@"',
    'exit $?',
  ].join('\n')
}

function mountLine(mount: Mount): string {
  if (mount.kind === 'empty') {
    const path = quote(mount.path)
    return `at ${path}; mkdir -p "$R"${path}; mount -t tmpfs -o mode=0755 none "$R"${path}`
  }
  const [from, to] = [quote(mount.from), quote(mount.to)]
  const target = `at ${to}; if [ -d ${from} ]; then mkdir -p "$R"${to}; else mkdir -p "$(dirname "$R"${to})"; touch "$R"${to}; fi`
  const closed = mount.writable ? '' : `; mount -o remount,bind,ro "$R"${to}`
  return `${target}; mount --bind ${from} "$R"${to}${closed}`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
