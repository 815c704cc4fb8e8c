import { expect, it } from 'vitest'
import { rootFolders } from './root-folders.ts'

it('names the places of other mounts as they are called, and leaves out what is masked or no storage', () => {
  const table = [
    '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw',
    '28 27 8:1 / /data\\040and\\134more rw shared:1 - ext4 /dev/sda rw',
    '29 27 0:5 / /process rw - tmpfs none rw',
    '30 27 0:6 / /home rw - ext4 /dev/sdb rw',
    '31 27 0:7 / /run/user/1000 rw - tmpfs none rw',
    '32 27 0:8 / /sys rw - sysfs sysfs rw',
    '33 27 0:9 / /dev/shm rw - tmpfs none rw',
    '34 27 0:9 / /dev rw - devtmpfs none rw',
    '',
  ].join('\n')
  const usual = ['/var/lib', '/opt', '/usr/local', '/srv', '/usr', '/etc', '/var', '/']
  expect(rootFolders(table)).toEqual([...usual, '/data and\\more', '/process', '/dev/shm'])
})
