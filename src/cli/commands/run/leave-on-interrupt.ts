/** The first Ctrl-C lets running iterations end; a second one, or SIGTERM, stops them at once. */
export function leaveOnInterrupt(leave: (how: 'gently' | 'now') => void): Disposable {
  let isAsked = false
  const onInterrupt = (): void => {
    leave(isAsked ? 'now' : 'gently')
    if (!isAsked) process.stderr.write('\nEnding with the running iterations; Ctrl-C again stops them now.\n')
    isAsked = true
  }
  const onEnd = (): void => leave('now')
  process.on('SIGINT', onInterrupt)
  process.on('SIGTERM', onEnd)
  return {
    [Symbol.dispose]: () => {
      process.off('SIGINT', onInterrupt)
      process.off('SIGTERM', onEnd)
    },
  }
}
