import { SYSTEM_PATH } from './environment.ts'
import type { Mount } from './mount-plan.ts'

/** Exit code of the script when a mount cannot be closed: the program is then never started. */
const WALL_EXIT_CODE = 97

/**
 * The same mounts without bubblewrap: a shell script that is the first process of the new namespaces. It makes a
 * copy of the tree, closes it, opens what the plan opens, and starts its arguments inside. Pure.
 */
export function unshareScript(mounts: readonly Mount[], cwd: string, root: string): string {
  return [
    'set -e',
    // For the script alone: folders of the caller's search path may become hidden while it runs.
    'P="$PATH"',
    `PATH=${quote(SYSTEM_PATH)}:"$PATH"`,
    `refuse() { echo "the wall cannot be closed: $1" >&2; exit ${WALL_EXIT_CODE}; }`,
    // In a private network even the loopback is down; in the host's network this changes nothing.
    'ip link set lo up 2>/dev/null || :',
    `R=${quote(root)}`,
    'mount --rbind / "$R"',
    ...closeMounts(mounts),
    'mount -t proc proc "$R/proc"',
    ...privateDevices(),
    // A link planted at a mount point must not redirect the mount.
    'at() { [ "$(realpath -m -- "$R$1")" = "$R$1" ] || refuse "$1 leads elsewhere"; }',
    ...mounts.map(mountLine),
    // pivot_root instead of chroot: inside a chroot the kernel refuses further user namespaces.
    'cd "$R"',
    'pivot_root . .',
    'umount -l .',
    `cd ${quote(cwd)}`,
    'PATH="$P"',
    'set +e',
    '"$@"',
    'exit $?',
  ].join('\n')
}

/**
 * Nothing that is mounted below `/` may stay writable. The table is read once, before it changes; it writes blanks and
 * backslashes as octal numbers. What cannot be closed ends the script, unless it is kernel interface, not storage,
 * cannot be reached, or lies where the plan puts an empty folder over it.
 */
function closeMounts(mounts: readonly Mount[]): string[] {
  const covered = mounts.flatMap((mount) => (mount.kind === 'empty' ? [`"$R"${quote(mount.path)}/*`] : []))
  const excused = ['"$R"/sys', '"$R"/sys/*', ...covered].join('|')
  return [
    'T=$(cat /proc/self/mountinfo)',
    'closed=',
    'while read -r _ _ _ _ m _; do',
    // The dot keeps a line break at the end, which the substitution would cut off.
    `  m=$(printf '%b.' "$m"); m=\${m%.}`,
    '  case "$m" in "$R"/proc|"$R"/proc/*) continue;; "$R") closed=1;; "$R"/*) ;; *) continue;; esac',
    `  mount -o remount,bind,ro "$m" 2>/dev/null || ! [ -e "$m" ] || case "$m" in ${excused}) ;; *) refuse "$m";; esac`,
    'done <<TABLE',
    '$T',
    'TABLE',
    '[ -n "$closed" ] || refuse "$R"',
  ]
}

/** Private, because shared memory and terminals lead to the user's other programs. */
function privateDevices(): string[] {
  return [
    'if [ -d "$R/dev/shm" ]; then mount -t tmpfs -o mode=1777,nosuid,nodev none "$R/dev/shm"; fi',
    'if [ -d "$R/dev/pts" ]; then',
    '  mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 none "$R/dev/pts" || mount -t tmpfs none "$R/dev/pts"',
    'fi',
  ]
}

function mountLine(mount: Mount): string {
  switch (mount.kind) {
    case 'empty': {
      const path = quote(mount.path)
      return `at ${path}; mkdir -p "$R"${path}; mount -t tmpfs -o mode=0755 none "$R"${path}`
    }
    case 'link': {
      const path = quote(mount.path)
      return `at ${path}; mkdir -p "$(dirname "$R"${path})"; ln -s -- ${quote(mount.target)} "$R"${path}`
    }
    case 'bind': {
      const [from, to] = [quote(mount.from), quote(mount.to)]
      const target = `at ${to}; if [ -d ${from} ]; then mkdir -p "$R"${to}; else mkdir -p "$(dirname "$R"${to})"; [ -e "$R"${to} ] || touch "$R"${to}; fi`
      const closed = mount.writable ? '' : `; mount -o remount,bind,ro "$R"${to}`
      return `${target}; mount --bind ${from} "$R"${to}${closed}`
    }
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
