import { CERTIFICATES } from './network-settings.ts'

/** What a fresh machine is made of, all paths being of the machine that makes it. */
export interface MachinePlan {
  /** An empty folder to build in. */
  readonly folder: string
  /** Removed from what this machine has. */
  readonly absent: string
  readonly packageStatus: string
  readonly nodeFolder: string
  /** Where Node lies inside. */
  readonly nodePlace: string
  readonly home: string
  /** A folder with what the command needs; seen inside as `/media/handed`, closed to writing. */
  readonly handed: string
  readonly certificates: string | undefined
  /** A folder that outlives the machine; seen inside as `/media/kept`. */
  readonly kept: string | undefined
  readonly uid: number
  readonly namespacesRefused: boolean
  readonly openFilesMax: number | undefined
  /** Whole: nothing of this machine's environment goes in. */
  readonly environment: Readonly<Record<string, string>>
  readonly command: readonly string[]
}

/** Builds the root of a fresh machine in a mount namespace of its own and starts the command in it. Pure. */
export function machineScript(plan: MachinePlan): string {
  return [
    'set -e',
    ...layers(plan),
    ...files(plan),
    ...devices(),
    'cd root',
    'mkdir old',
    // For good, not by chroot: inside a chroot the kernel refuses further user namespaces.
    'PATH="$PATH:/usr/sbin:/sbin" pivot_root . old',
    'cd /',
    'umount -l /old',
    'rmdir /old',
    ...start(plan),
  ].join('\n')
}

/** A folder of this machine that can be written to inside without being changed here. */
function layer(from: string, to: string, name: string): string {
  const draft = `layers/${name}`
  const options = `lowerdir=${from},upperdir=${draft}/upper,workdir=${draft}/work`
  return [
    `mkdir -p ${draft}/upper ${draft}/work ${quote(`root${to}`)}`,
    `mount -t overlay overlay -o ${quote(options)} ${quote(`root${to}`)}`,
  ].join('; ')
}

function layers({ folder, absent, nodeFolder, nodePlace, kept, handed, home, uid }: MachinePlan): string[] {
  return [
    `cd ${quote(folder)}`,
    'mount -t tmpfs -o mode=0755 machine .',
    `cd ${quote(folder)}`,
    'mkdir layers root',
    'mount --bind root root',
    'for name in bin sbin lib lib32 lib64 libx32; do if [ -L "/$name" ]; then cp -a "/$name" root/; fi; done',
    layer('/usr', '/usr', 'usr'),
    layer('/etc', '/etc', 'etc'),
    layer('/var/lib/dpkg', '/var/lib/dpkg', 'dpkg'),
    layer('/var/lib/apt', '/var/lib/apt', 'apt'),
    `(cd root && xargs -0 rm -rf -- < ${quote(absent)})`,
    '(cd root/usr/local && rm -rf -- * && mkdir bin lib share)',
    'mkdir -p root/root root/home root/media/handed root/var/tmp root/var/log root/var/cache/apt/archives/partial',
    `mkdir -p ${quote(`root${home}`)}`,
    // A copy, not a mount: on the machine of a newcomer it is a folder like any other.
    `mkdir -p ${quote(`root${nodePlace}`)}; cp -R ${quote(`${nodeFolder}/.`)} ${quote(`root${nodePlace}`)}`,
    `mount --bind ${quote(handed)} root/media/handed`,
    'mount -o remount,bind,ro root/media/handed',
    ...(kept === undefined ? [] : [`mkdir root/media/kept; mount --bind ${quote(kept)} root/media/kept`]),
    `chown -R ${uid}:${uid} ${quote(`root${home}`)}`,
    `chmod 700 ${quote(`root${home}`)}`,
  ]
}

function files({ packageStatus, certificates, uid, home }: MachinePlan): string[] {
  return [
    'chmod 1777 root/var/tmp',
    'mkdir root/tmp root/run root/mnt root/opt root/srv root/proc root/sys root/dev',
    'chmod 1777 root/tmp',
    `cp ${quote(packageStatus)} root/var/lib/dpkg/status`,
    'rm -f root/etc/gitconfig root/etc/npmrc root/etc/resolv.conf',
    'if [ -r /etc/resolv.conf ]; then cat /etc/resolv.conf > root/etc/resolv.conf; fi',
    ...(certificates === undefined ? [] : [`cat ${quote(certificates)} > root${CERTIFICATES}`]),
    ...(uid === 0
      ? []
      : [
          // This machine may have such a user already, by another name.
          `sed -i '/^[^:]*:[^:]*:${uid}:/d' root/etc/passwd root/etc/group`,
          `echo newcomer:x:${uid}:${uid}::${home}:/bin/sh >> root/etc/passwd`,
          `echo newcomer:x:${uid}: >> root/etc/group`,
        ]),
  ]
}

/** With their minor numbers. */
const DEVICES = [
  ['null', 3],
  ['zero', 5],
  ['full', 7],
  ['random', 8],
  ['urandom', 9],
] as const

function devices(): string[] {
  return [
    'mount -t proc proc root/proc',
    'mount --rbind /sys root/sys',
    'mount -t tmpfs -o mode=0755 devices root/dev',
    ...DEVICES.map(([name, minor]) => `mknod -m 666 root/dev/${name} c 1 ${minor}`),
    'mknod -m 666 root/dev/tty c 5 0',
    'mkdir root/dev/pts root/dev/shm',
    'mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts root/dev/pts',
    'mount -t tmpfs -o mode=1777 shared root/dev/shm',
    'ln -s pts/ptmx root/dev/ptmx',
    'ln -s /proc/self/fd root/dev/fd; ln -s fd/0 root/dev/stdin; ln -s fd/1 root/dev/stdout; ln -s fd/2 root/dev/stderr',
  ]
}

function start({ environment, command, home, uid, namespacesRefused, openFilesMax }: MachinePlan): string[] {
  const variables = Object.entries(environment).map(([name, value]) => quote(`${name}=${value}`))
  // Every base system has chroot; the root that is named is the one that there is.
  const user = [`--userspec=${uid}:${uid}`, `--groups=${uid}`, '--skip-chdir', '/']
  const become = uid === 0 ? [] : ['/usr/sbin/chroot', ...user]
  const started = ['env', '-i', ...variables, ...become, ...command.map(quote)].join(' ')
  return [
    `cd ${quote(home)}`,
    ...(openFilesMax === undefined ? [] : [`ulimit -n ${openFilesMax}`]),
    ...(namespacesRefused ? refusing(started) : [`${started} &`]),
    'set +e',
    // The first process of a machine takes in those whose parents are gone; a shell does so while it waits.
    'wait $!',
    'exit $?',
  ]
}

/**
 * The limits on namespaces are kept for each user namespace, so that a machine in one of its own, with the same
 * users, can be one whose kernel makes no namespaces.
 */
function refusing(started: string): string[] {
  const limits = ['user', 'mnt', 'pid'].map((kind) => `echo 0 > /proc/sys/user/max_${kind}_namespaces`)
  const limited = `set -e; ${limits.join('; ')}; exec ${started}`
  return [
    'mkfifo /run/mapped',
    // It is root only from the next program on that it starts after its users are known.
    `unshare --user -- sh -c ${quote(`read -r go < /run/mapped; exec sh -c ${quote(limited)}`)} &`,
    'tries=0',
    'while [ "$(readlink "/proc/$!/ns/user")" = "$(readlink /proc/self/ns/user)" ]; do',
    '  tries=$((tries + 1)); [ "$tries" -lt 500 ] || exit 98; sleep 0.02',
    'done',
    ...['uid', 'gid'].map((kind) => `echo 0 0 4294967295 > "/proc/$!/${kind}_map"`),
    'echo go > /run/mapped',
    'rm /run/mapped',
  ]
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
