import { writeSync } from 'node:fs'
import { FileStore } from '../../src/store/jsonl/file-store.ts'
import { bufferedDisk } from '../crash/unsafe-disk.ts'

/**
 * Sixteen writers create operations with three tasks each, until the process is killed. What was
 * answered is printed at once: `marker operation task task task`.
 * Arguments: folder, marker, `safe` or `unsafe`.
 */
const WRITERS = 16
const [folder = '', marker = '', safety = 'safe'] = process.argv.slice(2)

const store = new FileStore({ folder, ...(safety === 'unsafe' ? { disk: bufferedDisk() } : {}) })

async function write(writer: number): Promise<never> {
  for (let turn = 0; ; turn += 1) {
    const content = `${marker}-${writer}-${turn}`
    const task = { kind: 'create', type: 'task', parentId: '$operation', content } as const
    const outcome = await store.transact({
      by: 'writer',
      commands: [{ kind: 'create', type: 'operation', content, as: 'operation' }, task, task, task],
    })
    if (outcome.kind !== 'committed') throw new Error(JSON.stringify(outcome))
    writeSync(1, `${content} ${outcome.created.join(' ')}\n`)
  }
}

writeSync(1, 'ready\n')
await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
