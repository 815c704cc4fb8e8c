import { spawn } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomically } from '../../../platform/files/write-file-atomically.ts'
import type { Context } from '../../context.ts'

/** The program that opens an address; undefined without a desktop. */
function openerOf({ env }: Pick<Context, 'env'>): readonly [string, ...string[]] | undefined {
  switch (process.platform) {
    case 'darwin':
      return ['open']
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler']
    default:
      return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined
  }
}

/**
 * Opens the address in the user's browser; a failure is ignored, because the address is printed, too. Every
 * user of the machine can read the arguments of a program, and the address holds the token. So the browser
 * gets a private file that redirects there; disposing of the result deletes it.
 */
export async function openBrowser(
  context: Pick<Context, 'env' | 'interactive'>,
  address: string,
  privateFolder: string,
): Promise<AsyncDisposable> {
  const opener = context.interactive ? openerOf(context) : undefined
  const page = join(privateFolder, 'open.html')
  const opened = { [Symbol.asyncDispose]: () => rm(page, { force: true }) }
  if (!opener) return opened
  try {
    await mkdir(privateFolder, { recursive: true, mode: 0o700 })
    await writeFileAtomically(page, leadingTo(address), 0o600)
  } catch {
    return opened
  }
  const [program, ...given] = opener
  const child = spawn(program, [...given, page], { detached: true, stdio: 'ignore', env: { ...context.env } })
  child.on('error', () => undefined)
  child.unref()
  return opened
}

function leadingTo(address: string): string {
  const quoted = address.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${quoted}">
<title>AXIOM</title>
<a href="${quoted}">Go on to AXIOM</a>
`
}
