import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import type { LogRange } from '../../../../src/server/contract.ts'
import { Button } from '../../parts/button.tsx'
import { useWiring } from '../../state/use-rows.ts'
import { showLog } from './show-log.ts'

const TAIL_BYTES = 128 * 1024
const PIECE_BYTES = 256 * 1024
const FOLLOW_MS = 1_000
const LINES_MAX = 50_000
const LINE_PIXELS = 18
/** A scroll position closer to the end than this counts as the end. */
const END_PIXELS = 24

interface Window {
  readonly lines: readonly string[]
  readonly from: number
  readonly to: number
}

/** The end of a log, which keeps growing; earlier parts are loaded on demand. */
export function LogView({
  agents,
  file,
  children,
}: {
  readonly agents: string
  readonly file: string
  readonly children?: React.ReactNode
}) {
  const { client } = useWiring()
  const [shown, setShown] = useState<Window>({ lines: [], from: 0, to: 0 })
  const [follows, setFollows] = useState(true)
  const [fault, setFault] = useState('')
  const scroller = useRef<HTMLDivElement>(null)
  const path = `/api/logs/${encodeURIComponent(agents)}/${encodeURIComponent(file)}`

  useEffect(() => {
    const stop = new AbortController()
    let to: number | undefined
    const read = async () => {
      const query = to === undefined ? `bytes=${TAIL_BYTES}` : `from=${to}&bytes=${PIECE_BYTES}`
      const range = await client.get<LogRange>(`${path}?${query}`, stop.signal)
      const isFirst = to === undefined
      to = range.to
      if (range.text === '' && !isFirst) return
      setShown((before) => ({
        lines: [...(isFirst ? [] : before.lines), ...showLog(range.text)].slice(-LINES_MAX),
        from: isFirst ? range.from : before.from,
        to: range.to,
      }))
    }
    const loop = async () => {
      while (!stop.signal.aborted) {
        await read().then(
          () => setFault(''),
          (error: Error) => {
            if (!stop.signal.aborted) setFault(error.message)
          },
        )
        await new Promise((resolve) => setTimeout(resolve, FOLLOW_MS))
      }
    }
    void loop()
    return () => stop.abort()
  }, [client, path])

  const list = useVirtualizer({
    count: shown.lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PIXELS,
    overscan: 30,
  })
  const count = shown.lines.length
  useEffect(() => {
    if (follows && count > 0) list.scrollToIndex(count - 1, { align: 'end' })
  }, [follows, count, list])

  const readBefore = async () => {
    const range = await client.get<LogRange>(`${path}?before=${shown.from}&bytes=${PIECE_BYTES}`)
    setFollows(false)
    setShown((now) => ({
      ...now,
      lines: [...showLog(range.text), ...now.lines].slice(0, LINES_MAX),
      from: range.from,
    }))
  }

  return (
    <div>
      <div className="mb-2 flex flex-wrap items-center gap-2 text-sm text-soft">
        {children}
        {shown.from > 0 ? (
          <Button onClick={() => void readBefore()}>Read what stands before ({shown.from} bytes)</Button>
        ) : null}
        <Button aria-pressed={follows} onClick={() => setFollows(!follows)}>
          {follows ? '● following' : '○ follow the end'}
        </Button>
        {fault ? <span className="text-bad">{fault}</span> : null}
      </div>
      <section
        ref={scroller}
        aria-label="Log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable without a mouse
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
          setFollows(scrollHeight - scrollTop - clientHeight < END_PIXELS)
        }
        className="h-[calc(100dvh-19rem)] min-h-72 overflow-auto rounded-lg border border-line bg-surface font-mono text-xs"
      >
        <div className="relative min-w-max" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(({ index, start }) => (
            <div
              key={index}
              className="absolute top-0 left-0 px-3 whitespace-pre"
              style={{ transform: `translateY(${start}px)`, height: LINE_PIXELS }}
            >
              {shown.lines[index]}
            </div>
          ))}
        </div>
      </section>
    </div>
  )
}
