import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { readRegularFile } from '../platform/files/read-regular-file.ts'

/** The built pages. They are the same for every user and hold no project data. */
export interface Pages {
  /** The page or asset of a path, if there is one. */
  find(path: string): Page | undefined
  readonly paths: readonly string[]
}

export interface Page {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: string
  readonly etag: string
  /** The name changes with the content, so it can be cached forever. */
  readonly hashed: boolean
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}
const FILES_MAX = 2_000
const FILE_BYTES_MAX = 8 * 1024 * 1024
/** `name-Bx3f9_2k.js`: the hash of the bundler has at least eight characters. */
const HASHED = /[-.][A-Za-z0-9_-]{8,}\.[a-z0-9]+$/
/** Client-side routes: only plain words, which rules out path traversal. */
const INNER = /^(?:\/[A-Za-z0-9_-]{1,80}){1,4}\/?$/
const INDEX = '/index.html'

/**
 * Reads the pages once. Afterwards a path is looked up in a map and never joined to a folder, so it cannot
 * name any other file.
 */
export async function loadPages(folder: string): Promise<Pages> {
  const files = new Map<string, Page>()
  for (const entry of await listFiles(folder)) {
    const bytes = await readRegularFile(join(folder, entry), FILE_BYTES_MAX)
    const type = TYPES[extname(entry)]
    if (bytes === undefined || type === undefined) continue
    files.set(`/${entry.split(sep).join('/')}`, {
      bytes: new Uint8Array(bytes),
      type,
      etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
      hashed: HASHED.test(entry),
    })
  }
  const index = files.get(INDEX)
  return {
    find: (path) => files.get(path) ?? (path === '/' || isInner(path) ? index : undefined),
    paths: [...files.keys()],
  }
}

function isInner(path: string): boolean {
  return INNER.test(path) && path !== '/api' && !path.startsWith('/api/')
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .slice(0, FILES_MAX)
  } catch {
    // A checkout without built pages still serves the API.
    return []
  }
}
