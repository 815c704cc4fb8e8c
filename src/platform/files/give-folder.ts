import { lchownSync, lstatSync, readdirSync } from 'node:fs'
import { setImmediate as breathe } from 'node:timers/promises'

export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** System calls in one go; more would block the event loop for too long. */
const CALLS_IN_A_ROW_MAX = 500

/**
 * Gives a folder with everything in it to a user. Files that the user owns already are skipped, because a
 * change of owner, even to the same one, makes a file look changed. Links are not followed. No other process
 * may be at work in the folder.
 *
 * The calls are synchronous: each takes microseconds, and a round trip through the thread pool ten times
 * that.
 */
export async function giveFolder(folder: string, owner: Owner): Promise<void> {
  let calls = 0
  const waiting: Buffer[] = [Buffer.from(folder)]
  giveOne(Buffer.from(folder), owner)
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const entry of readdirSync(path, { withFileTypes: true, encoding: 'buffer' })) {
      const inner = Buffer.concat([path, SLASH, entry.name])
      giveOne(inner, owner)
      if (entry.isDirectory()) waiting.push(inner)
      calls += 1
      if (calls % CALLS_IN_A_ROW_MAX === 0) await breathe()
    }
  }
}

const SLASH = Buffer.from('/')

function giveOne(path: Buffer, { uid, gid }: Owner): void {
  const found = lstatSync(path)
  if (found.uid !== uid || found.gid !== gid) lchownSync(path, uid, gid)
}
