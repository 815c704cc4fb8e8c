import { Button } from '../parts/button.tsx'
import { dismissToast, useToasts } from '../state/toasts.ts'

export function Toasts() {
  const toasts = useToasts()
  return (
    <div
      aria-live="polite"
      className="fixed right-4 bottom-16 z-40 flex w-80 max-w-[90vw] flex-col gap-2 lg:bottom-4"
    >
      {toasts.map(({ id, tone, text, hint }) => (
        <div
          key={id}
          className={`flex items-start gap-2 rounded-lg border-2 bg-surface px-3 py-2 shadow-lg ${tone === 'good' ? 'border-good' : 'border-bad'}`}
        >
          <span aria-hidden="true">{tone === 'good' ? '✓' : '✕'}</span>
          <span className="min-w-0 grow">
            <span className="block font-medium">{text}</span>
            {hint ? <span className="block font-mono text-xs break-words text-soft">{hint}</span> : null}
          </span>
          <Button tone="quiet" size="icon" aria-label="Dismiss" onClick={() => dismissToast(id)}>
            ×
          </Button>
        </div>
      ))}
    </div>
  )
}
