import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../open-store.ts'
import { type StoreUnderTest, storeContract } from '../store.contract.ts'
import type { Store } from '../store.ts'
import { FileStore } from './file-store.ts'

function temporaryFolder(): { folder: string; remove: () => void } {
  const top = mkdtempSync(join(tmpdir(), 'axiom-store-'))
  return { folder: join(top, '.axiom'), remove: () => rmSync(top, { recursive: true, force: true }) }
}

storeContract('files, in one process', async (): Promise<StoreUnderTest> => {
  const { folder, remove } = temporaryFolder()
  let store = new FileStore({ folder })
  return {
    store,
    reopen: async () => {
      await store.close()
      store = new FileStore({ folder })
      return store
    },
    dispose: async () => {
      await store.close()
      remove()
    },
  }
})

/** The owner is another store object; the one under test reaches it through the socket. */
storeContract('through another owner', async (): Promise<StoreUnderTest> => {
  const { folder, remove } = temporaryFolder()
  let owner: Store = await openStore({ folder, purpose: 'owner' })
  const client = await openStore({ folder, purpose: 'client' })
  return {
    store: client,
    reopen: async () => {
      await owner.close()
      owner = await openStore({ folder, purpose: 'next owner' })
      return client
    },
    dispose: async () => {
      await client.close()
      await owner.close()
      remove()
    },
  }
})
