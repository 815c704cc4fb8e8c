import type { Context } from '../../context.ts'
import type { Output } from '../../terminal.ts'

const ESC = '\u001b'
const OPEN = `${ESC}[?1049h${ESC}[?25l`
const CLOSE = `${ESC}[?25h${ESC}[?1049l`
/** Synchronized output: a terminal that supports it shows the frame only when it is complete. */
const FRAME = { begin: `${ESC}[?2026h${ESC}[H`, end: `${ESC}[J${ESC}[?2026l` }
const LINE_END = `${ESC}[K`
const QUIT_KEYS = ['q', 'Q', '\u0003', '\u0004']
const SIZE = { columns: 80, rows: 24 }

/** A terminal that a command draws on until it is closed; the earlier content is then restored. */
export interface LiveScreen extends Disposable {
  readonly columns: number
  readonly rows: number
  /** Aborted when the user quits. */
  readonly quitting: AbortSignal
  draw(lines: readonly string[]): void
  /** Called when the size has changed. */
  onResize(listener: () => void): void
}

export function openScreen(output: Output, stdin: Context['stdin']): LiveScreen {
  const quit = new AbortController()
  const listeners: (() => void)[] = []
  const resized = (): void => {
    for (const listener of listeners) listener()
  }
  const pressed = (chunk: Buffer | string): void => {
    if ([...String(chunk)].some((key) => QUIT_KEYS.includes(key))) quit.abort()
  }
  const ended = (): void => quit.abort()
  output.write(OPEN)
  output.on?.('resize', resized)
  if (stdin.isTTY) stdin.setRawMode(true)
  stdin.on('data', pressed)
  stdin.resume()
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.on(signal, ended)
  return {
    get columns() {
      return output.columns ?? SIZE.columns
    },
    get rows() {
      return output.rows ?? SIZE.rows
    },
    quitting: quit.signal,
    draw: (lines) => output.write(frameOf(lines)),
    onResize: (listener) => listeners.push(listener),
    [Symbol.dispose]() {
      for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.off(signal, ended)
      stdin.off('data', pressed)
      if (stdin.isTTY) stdin.setRawMode(false)
      stdin.pause()
      stdin.unref?.()
      output.off?.('resize', resized)
      output.write(CLOSE)
    },
  }
}

function frameOf(lines: readonly string[]): string {
  return FRAME.begin + lines.map((line) => line + LINE_END).join('\r\n') + FRAME.end
}
