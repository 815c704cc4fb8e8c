import { spawn } from 'node:child_process'
import type { Context } from '../context.ts'

/** What opens an address on this machine; nothing where there is no desktop to open it on. */
function openerOf({ env }: Context): readonly [string, ...string[]] | undefined {
  switch (process.platform) {
    case 'darwin':
      return ['open']
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler']
    default:
      return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined
  }
}

/** Opens the address where a person sits; that it could not be opened is no trouble, for it is printed, too. */
export function openBrowser(context: Context, address: string): void {
  const opener = context.interactive ? openerOf(context) : undefined
  if (!opener) return
  const [program, ...given] = opener
  const child = spawn(program, [...given, address], { detached: true, stdio: 'ignore' })
  child.on('error', () => undefined)
  child.unref()
}
